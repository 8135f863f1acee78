import { AppError } from '../../contract/errors.ts';
import { message } from '../../contract/messages.ts';
import type { DatasetRole } from '../../contract/permissions.ts';
import type { AuditService } from '../accounts/audit.service.ts';
import type { EventBus } from '../events.ts';
import type { SomeHandlers } from '../handlers.ts';
import type { Catalog } from '../ports/catalog.ts';
import type { Clock } from '../ports/clock.ts';
import type { DatasetContext } from './contexts.ts';
import type { DatasetRoles } from './dataset-roles.ts';
import type { ShareRepository } from './share.repository.ts';

interface Parts {
  catalog: Catalog;
  audit: AuditService;
  shares: ShareRepository;
  roles: DatasetRoles;
  events: EventBus;
  clock: Clock;
}

/** Sharing (4.7): the owner of a dataset lets other users view it. */
export class SharingService {
  readonly #parts: Parts;

  /** The operations that this service handles. */
  readonly handlers = {
    invite: (context, input) => this.invite(context, input),
    list_shares: (context) => this.list(context),
    revoke_share: (context, input) => this.revoke(context, input),
  } satisfies SomeHandlers;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /**
   * Shares the dataset with a user.
   * @throws AppError `not_found` for an address without an account, and with the same message for an account of other workspaces: otherwise
   * the owner of any dataset could find out who has an account there.
   */
  invite(context: DatasetContext, input: { grant_to_user_email: string }): null {
    const { catalog, audit, shares, clock } = this.#parts;
    const { dataset, principal } = context;
    const user = shares.findUser(input.grant_to_user_email);
    const isHidden = (userId: string) =>
      !principal.is_local_owner && shares.isOfOtherWorkspaces(userId, principal.user_id);
    if (!user || isHidden(user.user_id))
      throw new AppError('not_found', message('account_unknown', { email: input.grant_to_user_email }));
    if (user.user_id !== dataset.owner_id) {
      catalog.transaction(() => {
        shares.add(dataset.dataset_id, user.user_id, 'viewer', clock.iso());
        audit.note(context, 'share_granted', dataset.display_name, { dataset_id: dataset.dataset_id, to: user.email });
      });
    }
    this.#changed(dataset.dataset_id);
    return null;
  }

  list({ dataset }: DatasetContext): { email: string; role: DatasetRole }[] {
    const shared = this.#parts.shares.list(dataset.dataset_id);
    return [{ email: dataset.owner_email, role: 'owner' }, ...shared];
  }

  /** Returns another user who may view the dataset. @throws AppError `not_found` for anybody else, `invalid_request` for the caller. */
  getOtherViewer({ dataset, principal }: DatasetContext, email: string): { user_id: string } {
    const { shares, roles } = this.#parts;
    const user = shares.findUser(email);
    if (user?.user_id === principal.user_id) throw new AppError('invalid_request', message('own_email_address'));
    if (!user || !roles.ofAccount(user.user_id)(dataset)) {
      throw new AppError('not_found', message('user_without_access', { email }));
    }
    return user;
  }

  revoke(context: DatasetContext, { user_email }: { user_email: string }): { revoked: boolean } {
    const { catalog, audit, shares, events } = this.#parts;
    const { dataset } = context;
    const user = shares.findUser(user_email);
    const revoked = catalog.transaction(() => {
      if (user === undefined || !shares.remove(dataset.dataset_id, user.user_id)) return false;
      audit.note(context, 'share_revoked', dataset.display_name, { dataset_id: dataset.dataset_id, to: user.email });
      return true;
    });
    this.#changed(dataset.dataset_id);
    // Revoked users receive no further events of the dataset, including this one.
    if (user && revoked) events.emit('access_changed', { user_id: user.user_id });
    return { revoked };
  }

  #changed(datasetId: string): void {
    this.#parts.events.emit('dataset_changed', { dataset_id: datasetId });
  }
}

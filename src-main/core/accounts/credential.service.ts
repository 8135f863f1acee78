import { randomBytes } from 'node:crypto';
import { AppError } from '../../contract/errors.ts';
import { message } from '../../contract/messages.ts';
import type { ApiCredential } from '../../contract/schemas/account.ts';
import type { CallContext } from '../core.ts';
import type { EventBus } from '../events.ts';
import type { SomeHandlers } from '../handlers.ts';
import type { Catalog } from '../ports/catalog.ts';
import type { Clock } from '../ports/clock.ts';
import type { SecretBox } from '../ports/secret-box.ts';
import type { AuditService } from './audit.service.ts';
import type { CredentialRepository } from './credential.repository.ts';

const KEY_BYTES = 16;
const SECRET_BYTES = 32;
const MAX_CREDENTIALS = 100;

export interface CredentialParts {
  catalog: Catalog;
  credentials: CredentialRepository;
  audit: AuditService;
  box: SecretBox;
  events: EventBus;
  clock: Clock;
}

/** API keys (4.1). Programs sign their tokens with the secret of a key. */
export class CredentialService {
  readonly #parts: CredentialParts;

  /** The operations that this service handles. */
  readonly handlers = {
    create_api_credentials: (context, input) => this.create(context, input),
    list_api_credentials: (context) => this.list(context),
    revoke_api_credentials: (context, input) => this.revoke(context, input),
  } satisfies SomeHandlers;

  constructor(parts: CredentialParts) {
    this.#parts = parts;
  }

  /** @throws AppError `conflict` when the caller has the maximum number of keys. */
  create(context: CallContext, { name }: { name: string }) {
    const { catalog, credentials, audit, box, clock } = this.#parts;
    const { principal } = context;
    if (credentials.listOf(principal.user_id).length >= MAX_CREDENTIALS) {
      throw new AppError('conflict', message('too_many_api_keys', { limit: MAX_CREDENTIALS }));
    }
    const apiKey = randomBytes(KEY_BYTES).toString('base64url');
    const secret = randomBytes(SECRET_BYTES).toString('base64url');
    const row = { api_key: apiKey, user_id: principal.user_id, name, secret: box.seal(secret) };
    catalog.transaction(() => {
      credentials.insert({ ...row, created_at: clock.iso(), last_used_at: null });
      audit.note(context, 'credential_created', apiKey, { name });
    });
    return { api_key: apiKey, api_secret: secret, message: 'Keep the secret now: it is shown this once' };
  }

  list({ principal }: CallContext): { credentials: ApiCredential[] } {
    return { credentials: this.#parts.credentials.listOf(principal.user_id) };
  }

  /** @throws AppError `not_found` for a key that does not belong to the caller. */
  revoke(context: CallContext, { api_key }: { api_key: string }): { revoked: true } {
    const { catalog, credentials, audit, events } = this.#parts;
    const { user_id } = context.principal;
    catalog.transaction(() => {
      if (!credentials.delete(api_key, user_id)) throw new AppError('not_found', message('api_key_not_found'));
      audit.note(context, 'credential_revoked', api_key);
    });
    events.emit('sessions_ended', { user_id, session_ids: [null] });
    return { revoked: true };
  }
}

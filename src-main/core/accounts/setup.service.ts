import { randomBytes, timingSafeEqual } from 'node:crypto';
import { AppError } from '../../contract/errors.ts';
import { message } from '../../contract/messages.ts';
import type { CallContext } from '../core.ts';
import type { SomeHandlers } from '../handlers.ts';
import type { Catalog } from '../ports/catalog.ts';
import type { Clock, Ids } from '../ports/clock.ts';
import type { SettingsService } from '../settings/settings.service.ts';
import type { AccountRepository } from './account.repository.ts';
import type { AuditService } from './audit.service.ts';
import type { LoginService } from './login.service.ts';
import { addressIn, createAccount } from './new-account.ts';
import { hashPassword } from './password.ts';
import { assertGoodPassword } from './password-rules.ts';
import type { ServiceMode } from './service-mode.ts';

const TOKEN_BYTES = 32;

export interface SetupParts {
  catalog: Catalog;
  clock: Clock;
  ids: Ids;
  mode: ServiceMode;
  workspaceId: string;
  accounts: AccountRepository;
  logins: LoginService;
  audit: AuditService;
  settings: Pick<SettingsService, 'set'>;
}

interface FirstAdmin {
  token: string;
  username: string;
  password: string;
  first_name: string;
  last_name: string;
  opened_folder?: string | undefined;
}

/**
 * Creation of the first administrator. There is no default password: a token is shown only to the person who starts the server, and becomes
 * invalid once an administrator exists.
 */
export class SetupService {
  readonly #parts: SetupParts;
  readonly #token = randomBytes(TOKEN_BYTES).toString('base64url');

  /** The operations that this service handles. */
  readonly handlers = {
    setup_first_admin: (context, input) => this.create(context, input),
  } satisfies SomeHandlers;

  constructor(parts: SetupParts) {
    this.#parts = parts;
  }

  /** Undefined if an administrator exists. */
  get token(): string | undefined {
    const { mode, accounts } = this.#parts;
    return mode.authentication && !accounts.hasAdmin() ? this.#token : undefined;
  }

  /**
   * Creates the account, opens a folder of the server to users if one is given, and signs the account in.
   * @throws AppError `forbidden` for a wrong token, and if an administrator exists.
   */
  async create(context: CallContext, { token, password, opened_folder, ...person }: FirstAdmin) {
    const { catalog, logins, settings } = this.#parts;
    this.#assertFits(token);
    await assertGoodPassword(password, person.username);
    const passwordHash = await hashPassword(password);
    const idpUserId = catalog.transaction(() => {
      // Another request may have created the administrator while the password was hashed.
      this.#assertFits(token);
      return this.#createAdmin(context, person, passwordHash);
    });
    if (opened_folder !== undefined) settings.set('OPENED_FOLDERS', [opened_folder]);
    return logins.begin(context, idpUserId);
  }

  #createAdmin({ address }: CallContext, person: Omit<FirstAdmin, 'token' | 'password'>, passwordHash: string): string {
    const { audit, workspaceId } = this.#parts;
    audit.noteOf(person.username, address, 'user_created', person.username, { workspace_role: 'admin' });
    return createAccount(this.#parts, workspaceId, {
      ...person,
      verified_email: addressIn(person.username),
      password_hash: passwordHash,
      oidc: null,
      role: 'admin',
    });
  }

  #assertFits(token: string): void {
    const expected = this.token;
    const given = Buffer.from(token);
    const fits =
      expected !== undefined &&
      given.length === Buffer.byteLength(expected) &&
      timingSafeEqual(given, Buffer.from(expected));
    if (!fits) throw new AppError('forbidden', message('setup_link_invalid'));
  }
}

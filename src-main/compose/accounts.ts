import { AccountRepository } from '../core/accounts/account.repository.ts';
import { Authenticator } from '../core/accounts/authenticator.ts';
import { CacheUntilCommit } from '../core/accounts/cache-until-commit.ts';
import { CommandKey } from '../core/accounts/command-key.ts';
import { CredentialRepository } from '../core/accounts/credential.repository.ts';
import { CredentialService } from '../core/accounts/credential.service.ts';
import { KnownAddresses } from '../core/accounts/known-addresses.ts';
import { LoginService } from '../core/accounts/login.service.ts';
import { LoginLimits } from '../core/accounts/login-limits.ts';
import { OidcService } from '../core/accounts/oidc.service.ts';
import { readOidcSettings } from '../core/accounts/oidc-settings.ts';
import { OwnPassword } from '../core/accounts/own-password.ts';
import { PasskeyRepository } from '../core/accounts/passkey.repository.ts';
import { PasskeyService } from '../core/accounts/passkey.service.ts';
import { SecondFactorRepository } from '../core/accounts/second-factor.repository.ts';
import { SecondFactorService } from '../core/accounts/second-factor.service.ts';
import { SessionRepository } from '../core/accounts/session.repository.ts';
import { SessionService } from '../core/accounts/session.service.ts';
import { SetupService } from '../core/accounts/setup.service.ts';
import { TokenVerifier } from '../core/accounts/token-verifier.ts';
import { NotificationRepository } from '../core/notifications/notification.repository.ts';
import { NotificationService } from '../core/notifications/notification.service.ts';
import { createOpenIdProvider } from '../infra/oidc/openid-provider.ts';
import type { CoreOptions, Platform } from './platform.ts';

/** Services that identify and authenticate callers. */
export type Accounts = Awaited<ReturnType<typeof composeAccounts>>;

export async function composeAccounts({ environment }: Pick<CoreOptions, 'environment'>, platform: Platform) {
  const { catalog, clock, ids, settings, mode, owner, box, log, audit, events, memberships } = platform;
  const notifications = new NotificationService({
    ...platform,
    rows: new NotificationRepository(catalog),
  });
  const accounts = new AccountRepository(catalog, owner.workspace_id);
  const sessions = new SessionService({ sessions: new SessionRepository(catalog), settings, clock, ids });
  const credentials = new CredentialRepository(catalog);
  const tokens = new TokenVerifier({ credentials, box, clock });
  const commands = new CommandKey();
  const authenticator = new Authenticator({
    ...{ mode, owner, accounts, sessions, credentials, tokens, commands, clock },
    recognised: new CacheUntilCommit(catalog),
  });
  const oidcSettings = mode.authentication ? readOidcSettings(environment) : undefined;
  const provider = oidcSettings && createOpenIdProvider(oidcSettings, log, clock);
  const limits = new LoginLimits(new KnownAddresses(catalog, clock), clock);
  const ownPassword = new OwnPassword(accounts, limits);
  const checking = { catalog, accounts, ownPassword, audit, clock };
  const secondFactors = new SecondFactorService({
    ...{ ...checking, limits, box },
    factors: new SecondFactorRepository(catalog),
  });
  const passkeys = new PasskeyRepository(catalog);
  const logins = new LoginService({
    mode,
    accounts,
    memberships,
    sessions,
    limits,
    ownPassword,
    secondFactors,
    passkeys,
    notifications,
    audit,
    events,
    clock,
    settings,
    oidc: provider ? { name: provider.name } : null,
  });
  const making = { catalog, clock, ids, workspaceId: platform.primaryWorkspaceId, accounts, logins, audit };
  const setup = new SetupService({ ...making, mode, settings });
  const oidc = new OidcService({ ...making, provider, createsUsers: oidcSettings?.creates_users ?? false });
  return {
    authenticator,
    commands,
    sessions,
    setup,
    notifications,
    services: {
      logins,
      setup,
      oidc,
      secondFactors,
      passkeys: new PasskeyService({ ...checking, passkeys, logins }),
      credentials: new CredentialService({ catalog, credentials, audit, box, events, clock }),
    },
  };
}

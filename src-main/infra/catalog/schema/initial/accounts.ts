/** Tables of accounts, workspaces and sessions. */
export const ACCOUNTS_TABLES = `
    -- ---------------------------------------------------------------------------------------------------------------- Accounts

    -- Users of the service. The setup and account services write it; idp_user_id is NULL for the local owner, who does not sign in.
    CREATE TABLE user (
      user_id TEXT PRIMARY KEY,
      email TEXT NOT NULL UNIQUE,
      name TEXT NOT NULL,
      idp_user_id TEXT,
      created_at TEXT NOT NULL
    ) STRICT;
    CREATE UNIQUE INDEX user_idp ON user (idp_user_id) WHERE idp_user_id IS NOT NULL;

    -- Accounts of the built-in identity provider, and accounts of an external one (oidc_issuer and oidc_subject, no password).
    -- verified_email: an address that an admin entered or that the external provider verified; NULL for an account without one.
    CREATE TABLE idp_user (
      idp_user_id TEXT PRIMARY KEY,
      username TEXT NOT NULL COLLATE NOCASE UNIQUE,
      verified_email TEXT COLLATE NOCASE UNIQUE,
      first_name TEXT,
      last_name TEXT,
      enabled INTEGER NOT NULL,
      password_hash TEXT,
      password_is_temporary INTEGER NOT NULL,
      oidc_issuer TEXT,
      oidc_subject TEXT,
      created_at TEXT NOT NULL,
      last_access_at TEXT,
      UNIQUE (oidc_issuer, oidc_subject)
    ) STRICT;

    -- Realm roles of an account.
    CREATE TABLE idp_role (
      idp_user_id TEXT NOT NULL REFERENCES idp_user (idp_user_id) ON DELETE CASCADE,
      role TEXT NOT NULL,
      PRIMARY KEY (idp_user_id, role)
    ) STRICT, WITHOUT ROWID;

    -- Browser sessions, written by the session service. token_hash: SHA-256 of the cookie's value.
    CREATE TABLE session (
      session_id TEXT PRIMARY KEY,
      token_hash TEXT NOT NULL UNIQUE,
      idp_user_id TEXT NOT NULL REFERENCES idp_user (idp_user_id) ON DELETE CASCADE,
      ip_address TEXT NOT NULL,
      client TEXT NOT NULL,
      started_at TEXT NOT NULL,
      last_access_at TEXT NOT NULL,
      expires_at TEXT NOT NULL
    ) STRICT;
    CREATE INDEX session_user ON session (idp_user_id);

    -- Addresses from which an account has signed in: guesses from other addresses do not delay its logins from these.
    CREATE TABLE login_address (
      idp_user_id TEXT NOT NULL REFERENCES idp_user (idp_user_id) ON DELETE CASCADE,
      address TEXT NOT NULL,
      signed_in_at TEXT NOT NULL,
      PRIMARY KEY (idp_user_id, address)
    ) STRICT, WITHOUT ROWID;

    -- Second factor of an account: one-time codes (TOTP). secret: encrypted. confirmed_at: NULL until its owner entered a first code.
    -- last_step: time step of the last accepted code; codes of this step and earlier ones are refused.
    CREATE TABLE second_factor (
      idp_user_id TEXT PRIMARY KEY REFERENCES idp_user (idp_user_id) ON DELETE CASCADE,
      secret TEXT NOT NULL,
      confirmed_at TEXT,
      last_step INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;

    -- Recovery codes of accounts with a second factor; a code that was used is deleted. code_hash: SHA-256.
    CREATE TABLE recovery_code (
      idp_user_id TEXT NOT NULL REFERENCES second_factor (idp_user_id) ON DELETE CASCADE,
      code_hash TEXT NOT NULL,
      PRIMARY KEY (idp_user_id, code_hash)
    ) STRICT, WITHOUT ROWID;

    -- Passkeys (WebAuthn credentials). public_key: COSE key in base64url. transports: JSON array. counter: number of signatures that the authenticator reported.
    CREATE TABLE passkey (
      passkey_id TEXT PRIMARY KEY,
      idp_user_id TEXT NOT NULL REFERENCES idp_user (idp_user_id) ON DELETE CASCADE,
      public_key TEXT NOT NULL,
      counter INTEGER NOT NULL,
      transports TEXT NOT NULL,
      name TEXT NOT NULL,
      created_at TEXT NOT NULL,
      last_used_at TEXT
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX passkey_user ON passkey (idp_user_id);

    -- API keys. secret: encrypted, not hashed, because it signs tokens.
    CREATE TABLE api_credential (
      api_key TEXT PRIMARY KEY,
      user_id TEXT NOT NULL REFERENCES user (user_id) ON DELETE CASCADE,
      name TEXT NOT NULL,
      secret TEXT NOT NULL,
      created_at TEXT NOT NULL,
      last_used_at TEXT
    ) STRICT;
    CREATE INDEX api_credential_user ON api_credential (user_id);

    CREATE TABLE organization (
      organization_id TEXT PRIMARY KEY,
      name TEXT NOT NULL,
      created_at TEXT NOT NULL,
      updated_at TEXT
    ) STRICT;

    CREATE TABLE workspace (
      workspace_id TEXT PRIMARY KEY,
      organization_id TEXT NOT NULL REFERENCES organization (organization_id),
      name TEXT NOT NULL,
      created_at TEXT NOT NULL,
      updated_at TEXT
    ) STRICT;

    CREATE TABLE workspace_member (
      workspace_id TEXT NOT NULL REFERENCES workspace (workspace_id) ON DELETE CASCADE,
      user_id TEXT NOT NULL REFERENCES user (user_id) ON DELETE CASCADE,
      role TEXT NOT NULL CHECK (role IN ('admin', 'editor', 'viewer')),
      created_at TEXT NOT NULL,
      PRIMARY KEY (workspace_id, user_id)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX workspace_member_user ON workspace_member (user_id);

    -- Audit log, written by the audit service and read by admins. details: JSON.
    CREATE TABLE audit_entry (
      place INTEGER PRIMARY KEY AUTOINCREMENT,
      at TEXT NOT NULL,
      actor TEXT NOT NULL,
      action TEXT NOT NULL,
      subject TEXT NOT NULL,
      ip_address TEXT NOT NULL,
      details TEXT NOT NULL
    ) STRICT;
    CREATE INDEX audit_action ON audit_entry (action, place);`;

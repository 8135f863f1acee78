import type { Migration } from '../../sqlite/open-database.ts';

export const accounts: Migration = {
  version: 13,
  sql: `
    -- A user of the service. idp_user_id: the account of the identity provider that it signs in by; null: the local owner.
    ALTER TABLE user ADD COLUMN idp_user_id TEXT;
    CREATE UNIQUE INDEX user_idp ON user (idp_user_id) WHERE idp_user_id IS NOT NULL;

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

    -- No reference: a dataset outlives its workspace. A start puts those without one into the primary workspace.
    ALTER TABLE dataset ADD COLUMN workspace_id TEXT;
    CREATE INDEX dataset_workspace ON dataset (workspace_id);
    CREATE INDEX dataset_owner ON dataset (owner_id);

    -- Accounts of the identity provider that is built in, and those that sign in by another (oidc_issuer, oidc_subject; no password).
    CREATE TABLE idp_user (
      idp_user_id TEXT PRIMARY KEY,
      username TEXT NOT NULL COLLATE NOCASE UNIQUE,
      email TEXT,
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

    CREATE TABLE idp_role (
      idp_user_id TEXT NOT NULL REFERENCES idp_user (idp_user_id) ON DELETE CASCADE,
      role TEXT NOT NULL,
      PRIMARY KEY (idp_user_id, role)
    ) STRICT, WITHOUT ROWID;

    -- token_hash: SHA-256 of what the cookie holds.
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

    -- secret: encrypted; it signs tokens, so a hash would not do.
    CREATE TABLE api_credential (
      api_key TEXT PRIMARY KEY,
      user_id TEXT NOT NULL REFERENCES user (user_id) ON DELETE CASCADE,
      name TEXT NOT NULL,
      secret TEXT NOT NULL,
      created_at TEXT NOT NULL,
      last_used_at TEXT
    ) STRICT;
    CREATE INDEX api_credential_user ON api_credential (user_id);

    -- Who did what, for admins to read. details: JSON.
    CREATE TABLE audit_entry (
      place INTEGER PRIMARY KEY AUTOINCREMENT,
      at TEXT NOT NULL,
      actor TEXT NOT NULL,
      action TEXT NOT NULL,
      subject TEXT NOT NULL,
      ip_address TEXT NOT NULL,
      details TEXT NOT NULL
    ) STRICT;
    CREATE INDEX audit_action ON audit_entry (action, place);
  `,
};

import type { Migration } from '../../sqlite/open-database.ts';

/** Columns of `dataset` that its record file repeats. Progress changes often and is not in the record. */
const RECORDED_COLUMNS = [
  'display_name',
  'description',
  'source_type',
  'source_uri',
  'source_dataset_id',
  'owner_id',
  'status_new',
  'status',
  'n_images',
  'n_videos',
  'n_objects',
  'n_file_errors',
  'fatal_error_msg',
  'generation',
  'preview_media_ids',
].join(', ');

/** Marks the record file of a dataset as outdated: see `dataset_unsaved`. */
const markUnsaved = (datasetId: string) => `
      UPDATE dataset SET revision = revision + 1 WHERE dataset_id = ${datasetId};
      INSERT OR IGNORE INTO dataset_unsaved VALUES (${datasetId});`;

/** Triggers for a table whose rows are part of a dataset's record file. */
const markUnsavedOnChangesOf = (table: string) => `
    CREATE TRIGGER ${table}_inserted AFTER INSERT ON ${table} BEGIN ${markUnsaved('new.dataset_id')} END;
    CREATE TRIGGER ${table}_updated AFTER UPDATE ON ${table} BEGIN ${markUnsaved('new.dataset_id')} END;
    CREATE TRIGGER ${table}_deleted AFTER DELETE ON ${table} BEGIN ${markUnsaved('old.dataset_id')} END;`;

/**
 * The first schema of catalog.db, by subject: accounts, datasets, tasks, sources, enrichment, snapshots, exports, views, notifications,
 * service. Times (`…_at`, `…_time`) are ISO 8601 text in UTC, booleans (`is_…`, `…_enabled`) 0 or 1, ids UUID text. Columns described as
 * JSON hold JSON text. `place` numbers rows in the order in which they were inserted, which does not depend on the clock.
 */
export const initial: Migration = {
  version: 1,
  sql: `
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
    CREATE INDEX audit_action ON audit_entry (action, place);

    -- ---------------------------------------------------------------------------------------------------------------- Datasets

    -- workspace_id has no reference: a dataset outlives its workspace, and a start moves datasets without one into the primary workspace.
    -- progress: percent of the present status. generation: number of the folder with the dataset's present data. preview_media_ids: JSON
    -- array, '[]' until the first index. revision counts changes that the record file must repeat.
    CREATE TABLE dataset (
      dataset_id TEXT PRIMARY KEY,
      workspace_id TEXT,
      owner_id TEXT NOT NULL REFERENCES user (user_id),
      display_name TEXT NOT NULL,
      description TEXT NOT NULL,
      source_type TEXT NOT NULL,
      source_uri TEXT NOT NULL,
      source_dataset_id TEXT,
      status_new TEXT NOT NULL,
      status TEXT NOT NULL,
      progress INTEGER NOT NULL,
      fatal_error_msg TEXT,
      n_images INTEGER NOT NULL,
      n_videos INTEGER NOT NULL,
      n_objects INTEGER NOT NULL,
      n_file_errors INTEGER NOT NULL,
      preview_media_ids TEXT NOT NULL,
      generation INTEGER NOT NULL,
      revision INTEGER NOT NULL DEFAULT 1,
      created_at TEXT NOT NULL,
      updated_at TEXT NOT NULL
    ) STRICT;
    CREATE INDEX dataset_name ON dataset (owner_id, display_name);
    CREATE INDEX dataset_workspace ON dataset (workspace_id);
    CREATE INDEX dataset_owner ON dataset (owner_id);

    -- First characters of the ids of a dataset's items and objects: its own, and those of the dataset that it is a copy of.
    CREATE TABLE id_prefix (
      prefix TEXT NOT NULL,
      dataset_id TEXT NOT NULL REFERENCES dataset (dataset_id) ON DELETE CASCADE,
      PRIMARY KEY (prefix, dataset_id)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX id_prefix_dataset ON id_prefix (dataset_id);

    -- Datasets whose record file (dataset.json in the dataset's folder) is outdated. Triggers insert, the record keeper deletes.
    CREATE TABLE dataset_unsaved (
      dataset_id TEXT PRIMARY KEY
    ) STRICT, WITHOUT ROWID;
    CREATE TRIGGER dataset_inserted AFTER INSERT ON dataset BEGIN
      INSERT OR IGNORE INTO dataset_unsaved VALUES (new.dataset_id);
    END;
    CREATE TRIGGER dataset_updated AFTER UPDATE OF ${RECORDED_COLUMNS} ON dataset BEGIN ${markUnsaved('new.dataset_id')} END;

    -- Users who may see a dataset that belongs to somebody else. Written by the sharing service.
    CREATE TABLE dataset_share (
      dataset_id TEXT NOT NULL REFERENCES dataset (dataset_id) ON DELETE CASCADE,
      user_id TEXT NOT NULL REFERENCES user (user_id) ON DELETE CASCADE,
      role TEXT NOT NULL CHECK (role IN ('viewer')),
      created_at TEXT NOT NULL,
      PRIMARY KEY (dataset_id, user_id)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX dataset_share_user ON dataset_share (user_id);
    ${markUnsavedOnChangesOf('dataset_share')}

    -- ---------------------------------------------------------------------------------------------------------------- Tasks

    -- Background tasks, written by the task service and the task runner. dataset_id is NULL for tasks of the service, such as model
    -- downloads. input and checkpoint: JSON. attempts: runs that a crash ended since the last checkpoint. done and total: units of the
    -- present step; total is NULL when it is not known.
    CREATE TABLE task (
      task_id TEXT PRIMARY KEY,
      dataset_id TEXT REFERENCES dataset (dataset_id) ON DELETE CASCADE,
      task_type TEXT NOT NULL,
      status TEXT NOT NULL,
      status_message TEXT NOT NULL,
      error_message TEXT,
      created_by TEXT NOT NULL,
      input TEXT NOT NULL,
      checkpoint TEXT NOT NULL,
      attempts INTEGER NOT NULL,
      step TEXT NOT NULL,
      done INTEGER NOT NULL,
      total INTEGER,
      progress_percentage INTEGER,
      start_time TEXT NOT NULL,
      end_time TEXT,
      place INTEGER NOT NULL DEFAULT 0
    ) STRICT;
    CREATE INDEX task_time ON task (start_time);
    CREATE INDEX task_order ON task (place, task_type, dataset_id);
    CREATE INDEX task_dataset ON task (dataset_id, task_type, created_by);
    CREATE INDEX task_kind ON task (task_type, place);
    CREATE INDEX task_status ON task (status, task_type);
    CREATE TRIGGER task_inserted AFTER INSERT ON task WHEN new.dataset_id IS NOT NULL BEGIN ${markUnsaved('new.dataset_id')} END;
    CREATE TRIGGER task_updated AFTER UPDATE OF status, checkpoint ON task WHEN new.dataset_id IS NOT NULL BEGIN
      ${markUnsaved('new.dataset_id')}
    END;

    -- Datasets that open tasks hold. kept: the dataset must stay, its content may change. shared: its content must stay. exclusive: only
    -- this task changes its content.
    CREATE TABLE task_lock (
      task_id TEXT NOT NULL REFERENCES task (task_id) ON DELETE CASCADE,
      dataset_id TEXT NOT NULL REFERENCES dataset (dataset_id) ON DELETE CASCADE,
      mode TEXT NOT NULL CHECK (mode IN ('kept', 'shared', 'exclusive')),
      PRIMARY KEY (task_id, dataset_id)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX task_lock_dataset ON task_lock (dataset_id);
    CREATE UNIQUE INDEX task_lock_exclusive ON task_lock (dataset_id) WHERE mode = 'exclusive';

    -- ---------------------------------------------------------------------------------------------------------------- Sources

    -- Upload transactions of drafts, written by the ingestion service. state: open or closed.
    CREATE TABLE upload_transaction (
      trans_id INTEGER PRIMARY KEY AUTOINCREMENT,
      dataset_id TEXT NOT NULL REFERENCES dataset (dataset_id) ON DELETE CASCADE,
      batch_id TEXT NOT NULL,
      state TEXT NOT NULL,
      created_at TEXT NOT NULL
    ) STRICT;
    ${markUnsavedOnChangesOf('upload_transaction')}

    -- Folders of stored originals (media/<batch_id>) and the datasets that use them. A copy of a dataset uses the folders of its source.
    CREATE TABLE media_folder (
      batch_id TEXT NOT NULL,
      dataset_id TEXT NOT NULL REFERENCES dataset (dataset_id) ON DELETE CASCADE,
      PRIMARY KEY (batch_id, dataset_id)
    ) STRICT, WITHOUT ROWID;
    ${markUnsavedOnChangesOf('media_folder')}

    -- Batches whose files a request is adding, until their task starts. One that is there at a start was interrupted.
    CREATE TABLE receiving_batch (
      batch_id TEXT PRIMARY KEY,
      dataset_id TEXT NOT NULL REFERENCES dataset (dataset_id) ON DELETE CASCADE
    ) STRICT;

    -- Folders of stored originals that no state of a dataset uses any more, until they are deleted.
    CREATE TABLE orphaned_media (
      batch_id TEXT NOT NULL,
      dataset_id TEXT NOT NULL REFERENCES dataset (dataset_id) ON DELETE CASCADE,
      PRIMARY KEY (batch_id, dataset_id)
    ) STRICT, WITHOUT ROWID;

    -- Local folders whose changes a dataset follows, written by the watching service. exclude: JSON array of patterns.
    CREATE TABLE watched_folder (
      watch_id TEXT PRIMARY KEY,
      dataset_id TEXT NOT NULL REFERENCES dataset (dataset_id) ON DELETE CASCADE,
      source_id TEXT NOT NULL,
      path TEXT NOT NULL,
      exclude TEXT NOT NULL,
      paused INTEGER NOT NULL,
      last_scan_at TEXT,
      created_at TEXT NOT NULL,
      UNIQUE (dataset_id, path)
    ) STRICT;
    ${markUnsavedOnChangesOf('watched_folder')}

    -- ---------------------------------------------------------------------------------------------------------------- Enrichment

    -- Models of a dataset. models: JSON object from enrichment type to model id. backgrounds: JSON object from entity type to the noise
    -- distribution of the encoder (cosines between unrelated texts and images). wanted_encoder: applied as soon as it is installed;
    -- none if the owner wants none.
    CREATE TABLE enrichment (
      dataset_id TEXT PRIMARY KEY REFERENCES dataset (dataset_id) ON DELETE CASCADE,
      models TEXT NOT NULL,
      backgrounds TEXT NOT NULL,
      wanted_encoder TEXT
    ) STRICT;
    ${markUnsavedOnChangesOf('enrichment')}

    -- ---------------------------------------------------------------------------------------------------------------- Snapshots

    -- Snapshots of datasets, written by the snapshot service. A snapshot that a person deletes stays here with deleted_at. enrichment:
    -- JSON of the dataset's row at that time, NULL without one. media_folders: JSON array of batch ids whose originals its items use.
    CREATE TABLE snapshot (
      snapshot_id TEXT PRIMARY KEY,
      dataset_id TEXT NOT NULL REFERENCES dataset (dataset_id) ON DELETE CASCADE,
      name TEXT NOT NULL,
      description TEXT NOT NULL,
      created_at TEXT NOT NULL,
      created_by TEXT NOT NULL,
      reason TEXT NOT NULL CHECK (reason IN ('manual', 'creation', 'clone')),
      n_images INTEGER NOT NULL,
      n_videos INTEGER NOT NULL,
      n_objects INTEGER NOT NULL,
      n_file_errors INTEGER NOT NULL,
      preview_media_ids TEXT NOT NULL,
      enrichment TEXT,
      media_folders TEXT NOT NULL,
      training_model_id TEXT,
      training_model_name TEXT,
      is_current INTEGER NOT NULL,
      place INTEGER NOT NULL,
      deleted_at TEXT
    ) STRICT;
    CREATE INDEX snapshot_dataset ON snapshot (dataset_id, place);
    CREATE UNIQUE INDEX snapshot_current ON snapshot (dataset_id) WHERE is_current = 1;
    CREATE TRIGGER snapshot_inserted AFTER INSERT ON snapshot BEGIN ${markUnsaved('new.dataset_id')} END;
    CREATE TRIGGER snapshot_updated AFTER UPDATE ON snapshot BEGIN ${markUnsaved('new.dataset_id')} END;

    -- ---------------------------------------------------------------------------------------------------------------- Exports

    -- Exports, written by the export service. The task with the same id has the progress; rejected exports have no task. options: JSON of
    -- the request. chosen: base64 of the deflated bitmap of rows in that generation, '' once the archive is written.
    CREATE TABLE export (
      export_id TEXT PRIMARY KEY,
      dataset_id TEXT NOT NULL REFERENCES dataset (dataset_id) ON DELETE CASCADE,
      created_at TEXT NOT NULL,
      is_rejected INTEGER NOT NULL,
      options TEXT NOT NULL,
      chosen TEXT NOT NULL,
      generation INTEGER NOT NULL,
      entities_count INTEGER NOT NULL,
      result_message TEXT NOT NULL,
      size_bytes INTEGER
    ) STRICT;
    CREATE INDEX export_dataset ON export (dataset_id, created_at);

    -- The latest time that the clock showed, and times that the app did not see pass, which do not count for the age of exports. Written by
    -- the keeper of exports.
    CREATE TABLE clock_look (id INTEGER PRIMARY KEY CHECK (id = 1), seen_at TEXT NOT NULL) STRICT;
    CREATE TABLE clock_jump (from_at TEXT NOT NULL, to_at TEXT NOT NULL) STRICT;

    -- ---------------------------------------------------------------------------------------------------------------- Saved views

    -- Saved queries. vql: JSON array of filters. watched_after: only batches of tasks with a higher place are checked. Counts are -1 until
    -- the first check; problem: why the last check failed.
    CREATE TABLE saved_view (
      view_id TEXT PRIMARY KEY,
      dataset_id TEXT NOT NULL REFERENCES dataset (dataset_id) ON DELETE CASCADE,
      name TEXT NOT NULL,
      entity_type TEXT NOT NULL,
      threshold TEXT NOT NULL,
      caption TEXT,
      vql TEXT NOT NULL,
      created_by TEXT NOT NULL,
      created_at TEXT NOT NULL,
      watched_after INTEGER NOT NULL,
      monitoring_enabled INTEGER NOT NULL,
      monitoring_started_at TEXT NOT NULL,
      alerting_enabled INTEGER NOT NULL,
      n_images INTEGER NOT NULL,
      n_objects INTEGER NOT NULL,
      n_video_frames INTEGER NOT NULL,
      total_results INTEGER NOT NULL,
      last_results TEXT,
      problem TEXT,
      UNIQUE (dataset_id, name)
    ) STRICT;
    ${markUnsavedOnChangesOf('saved_view')}

    -- Number of results that each batch added to a view, written by the view monitor.
    CREATE TABLE view_point (
      point_id INTEGER PRIMARY KEY,
      view_id TEXT NOT NULL REFERENCES saved_view (view_id) ON DELETE CASCADE,
      dataset_id TEXT NOT NULL,
      batch_id TEXT NOT NULL,
      timestamp TEXT NOT NULL,
      count INTEGER NOT NULL,
      cumulative INTEGER NOT NULL,
      UNIQUE (view_id, batch_id)
    ) STRICT;
    CREATE INDEX view_point_dataset ON view_point (dataset_id);

    -- Query images from outside the dataset that a view compares with. image: JSON.
    CREATE TABLE view_image (
      view_id TEXT NOT NULL REFERENCES saved_view (view_id) ON DELETE CASCADE,
      anchor_media_id TEXT NOT NULL,
      dataset_id TEXT NOT NULL,
      image TEXT NOT NULL,
      PRIMARY KEY (view_id, anchor_media_id)
    ) STRICT;
    CREATE INDEX view_image_anchor ON view_image (anchor_media_id);

    -- ---------------------------------------------------------------------------------------------------------------- Notifications

    -- Notifications of users. metadata: JSON. dataset_id has no reference: recovery may delete and insert the dataset's row again.
    CREATE TABLE notification (
      place INTEGER PRIMARY KEY AUTOINCREMENT,
      notification_id TEXT NOT NULL UNIQUE,
      user_id TEXT NOT NULL REFERENCES user (user_id) ON DELETE CASCADE,
      entity_type TEXT NOT NULL,
      entity_id TEXT NOT NULL,
      title TEXT NOT NULL,
      message TEXT,
      metadata TEXT NOT NULL,
      dataset_id TEXT,
      created_at TEXT NOT NULL,
      read_at TEXT
    ) STRICT;
    CREATE INDEX notification_user ON notification (user_id, place);
    CREATE INDEX notification_dataset ON notification (dataset_id, user_id, place);
    CREATE INDEX notification_unread ON notification (user_id, dataset_id) WHERE read_at IS NULL;

    -- ---------------------------------------------------------------------------------------------------------------- Service

    -- Settings that differ from their defaults.
    CREATE TABLE setting (
      key TEXT PRIMARY KEY,
      value TEXT NOT NULL
    ) STRICT;

    -- Damage and repairs that starts and checks found, shown until a person acknowledges them.
    CREATE TABLE recovery_event (
      event_id INTEGER PRIMARY KEY AUTOINCREMENT,
      at TEXT NOT NULL,
      kind TEXT NOT NULL,
      dataset_id TEXT,
      name TEXT NOT NULL,
      detail TEXT NOT NULL,
      acknowledged INTEGER NOT NULL
    ) STRICT;
  `,
};

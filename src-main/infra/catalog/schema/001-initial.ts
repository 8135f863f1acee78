import type { Migration } from '../../sqlite/open-database.ts';
import { ACCOUNTS_TABLES } from './initial/accounts.ts';
import { DATASETS_TABLES } from './initial/datasets.ts';
import { SNAPSHOTS_TABLES } from './initial/snapshots.ts';
import { TASKS_TABLES } from './initial/tasks.ts';
import { TEAMWORK_TABLES } from './initial/teamwork.ts';
import { VIEWS_TABLES } from './initial/views.ts';

/**
 * The first schema of catalog.db, by subject: accounts, datasets, tasks, sources, enrichment, snapshots, exports, views, notifications,
 * service. Times (`…_at`, `…_time`) are ISO 8601 text in UTC, booleans (`is_…`, `…_enabled`) 0 or 1, ids UUID text. Columns described as
 * JSON hold JSON text. `place` numbers rows in the order in which they were inserted, which does not depend on the clock.
 */
export const initial: Migration = {
  version: 1,
  sql: `
    ${ACCOUNTS_TABLES}
    ${DATASETS_TABLES}
    ${TASKS_TABLES}
    ${SNAPSHOTS_TABLES}
    ${VIEWS_TABLES}
    ${TEAMWORK_TABLES}
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

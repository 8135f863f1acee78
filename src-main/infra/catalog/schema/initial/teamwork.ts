import { markUnsavedOnChangesOf } from './mark-unsaved.ts';

/** Comments and assignments. */
export const TEAMWORK_TABLES = `
    -- ---------------------------------------------------------------------------------------------------------------- Teamwork

    -- Comments of people on items. They stay when their author's account is deleted.
    CREATE TABLE comment (
      comment_id TEXT PRIMARY KEY,
      dataset_id TEXT NOT NULL REFERENCES dataset (dataset_id) ON DELETE CASCADE,
      media_id TEXT NOT NULL,
      user_id TEXT NOT NULL,
      author_email TEXT NOT NULL,
      author_name TEXT NOT NULL,
      text TEXT NOT NULL,
      created_at TEXT NOT NULL,
      edited_at TEXT
    ) STRICT;
    CREATE INDEX comment_item ON comment (dataset_id, media_id, created_at);
    ${markUnsavedOnChangesOf('comment')}

    -- Items that somebody is asked to look through: the matches of a query.
    CREATE TABLE assignment (
      assignment_id TEXT PRIMARY KEY,
      dataset_id TEXT NOT NULL REFERENCES dataset (dataset_id) ON DELETE CASCADE,
      assignee_id TEXT NOT NULL REFERENCES user (user_id) ON DELETE CASCADE,
      assigned_by TEXT NOT NULL,
      assigned_by_id TEXT NOT NULL,
      title TEXT NOT NULL,
      note TEXT NOT NULL,
      entity_type TEXT NOT NULL,
      vql TEXT NOT NULL,
      created_at TEXT NOT NULL,
      done_at TEXT
    ) STRICT;
    CREATE INDEX assignment_assignee ON assignment (assignee_id);
    CREATE INDEX assignment_by ON assignment (assigned_by_id);
    CREATE INDEX assignment_dataset ON assignment (dataset_id);`;

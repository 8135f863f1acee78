import type { Migration } from '../../sqlite/open-database.ts';

export const replacedFrames: Migration = {
  version: 19,
  sql: `
    -- The media folder with the frames that took their place; null where there are none.
    ALTER TABLE former_frame ADD COLUMN replaced_in TEXT;
  `,
};

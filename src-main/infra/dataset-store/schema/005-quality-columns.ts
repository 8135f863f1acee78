import type { Migration } from '../../sqlite/open-database.ts';

export const qualityColumns: Migration = {
  version: 5,
  sql: `
    -- Statistics that queries compare, one column each instead of JSON. SQLite rewrites rows one by one, in flat memory.
    ALTER TABLE media ADD COLUMN mean_luma REAL NOT NULL DEFAULT 0;
    ALTER TABLE media ADD COLUMN p01_luma REAL NOT NULL DEFAULT 0;
    ALTER TABLE media ADD COLUMN p05_luma REAL NOT NULL DEFAULT 0;
    ALTER TABLE media ADD COLUMN p50_luma REAL NOT NULL DEFAULT 0;
    ALTER TABLE media ADD COLUMN p95_luma REAL NOT NULL DEFAULT 0;
    ALTER TABLE media ADD COLUMN p99_luma REAL NOT NULL DEFAULT 0;
    ALTER TABLE media ADD COLUMN contrast REAL NOT NULL DEFAULT 0;
    ALTER TABLE media ADD COLUMN sharpness REAL NOT NULL DEFAULT 0;
    ALTER TABLE media ADD COLUMN edge_energy REAL NOT NULL DEFAULT 0;
    ALTER TABLE media ADD COLUMN entropy_bits REAL NOT NULL DEFAULT 0;
    ALTER TABLE media ADD COLUMN colourfulness REAL NOT NULL DEFAULT 0;
    ALTER TABLE media ADD COLUMN grey_share REAL NOT NULL DEFAULT 0;
    UPDATE media SET
      mean_luma = ifnull(json_extract(quality, '$.mean_luma'), 0),
      p01_luma = ifnull(json_extract(quality, '$.p01_luma'), 0),
      p05_luma = ifnull(json_extract(quality, '$.p05_luma'), 0),
      p50_luma = ifnull(json_extract(quality, '$.p50_luma'), 0),
      p95_luma = ifnull(json_extract(quality, '$.p95_luma'), 0),
      p99_luma = ifnull(json_extract(quality, '$.p99_luma'), 0),
      contrast = ifnull(json_extract(quality, '$.contrast'), 0),
      sharpness = ifnull(json_extract(quality, '$.sharpness'), 0),
      edge_energy = ifnull(json_extract(quality, '$.edge_energy'), 0),
      entropy_bits = ifnull(json_extract(quality, '$.entropy_bits'), 0),
      colourfulness = ifnull(json_extract(quality, '$.colourfulness'), 0),
      grey_share = ifnull(json_extract(quality, '$.grey_share'), 0);
    ALTER TABLE media DROP COLUMN quality;
  `,
};

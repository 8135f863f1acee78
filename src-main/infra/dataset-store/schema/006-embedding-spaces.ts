import type { Migration } from '../../sqlite/open-database.ts';

/**
 * Vectors and indexes are known by their space. What the built-in descriptor made is of looks, what another encoder made of meaning; the
 * files are moved by `moveToSpaces`.
 */
export const embeddingSpaces: Migration = {
  version: 6,
  sql: `
    CREATE TEMP TABLE entity AS SELECT 'IMAGES' AS entity_type UNION ALL SELECT 'OBJECTS';
    CREATE TEMP TABLE known_space AS
      SELECT entity_type, made, iif(json_extract(made, '$.encoder_id') = 'visual-descriptor-1', 'looks', 'meaning') AS space
      FROM (
        SELECT entity_type, coalesce(
          (SELECT value FROM meta WHERE key = 'vector_space:' || entity_type),
          (SELECT value FROM meta WHERE key = 'vector_space')
        ) AS made FROM entity
      ) WHERE made IS NOT NULL;
    INSERT INTO meta SELECT 'vector_space:' || space || ':' || entity_type, made FROM known_space;
    INSERT INTO meta SELECT 'index:' || space || ':' || entity_type, value
      FROM known_space JOIN meta ON key = 'index:' || entity_type;
    DELETE FROM meta WHERE key IN ('vector_space', 'vector_space:IMAGES', 'vector_space:OBJECTS', 'index:IMAGES', 'index:OBJECTS');
    DROP TABLE known_space;
    DROP TABLE entity;
  `,
};

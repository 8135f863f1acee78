import { ID_PREFIX_LENGTH } from '../../../core/ports/item-ids.ts';
import { RowSet } from '../../vectors/row-set.ts';
import type { Facts } from '../explore/row-facts.ts';

/** Positions of the hyphens of a UUID among its digits. */
const HYPHENS = [8, 12, 16, 20];
/** Follows every digit of a UUID in the order of text. */
const AFTER_DIGITS = 'g';

/** Columns of ids in the texts of an entity type, with the rows that have such an id. */
const SOURCES: Record<Facts['entity_type'], readonly { ids: string; rows: string }[]> = {
  IMAGES: [
    { ids: 'SELECT media_id AS id FROM media', rows: 'SELECT row FROM media WHERE media_id' },
    {
      ids: 'SELECT video_id AS id FROM file WHERE video_id IS NOT NULL',
      rows: 'SELECT row FROM media JOIN file USING (file_id) WHERE video_id',
    },
  ],
  OBJECTS: [
    { ids: 'SELECT object_id AS id FROM object', rows: 'SELECT row FROM object WHERE object_id' },
    { ids: 'SELECT media_id AS id FROM media', rows: 'SELECT row FROM object WHERE media_id' },
  ],
};

/** Whether a text that begins ids is a part of their prefix, which nearly all ids of a dataset have in common. */
export function isWithinPrefix(text: string): boolean {
  return text.replaceAll('-', '').length < ID_PREFIX_LENGTH - 1;
}

/** Returns the rows whose ids continue with a text after their prefix ([Note: Ids of items]). */
export function rowsOfIdsAfterPrefix(text: string, { db, entity_type, first, count }: Facts): RowSet {
  const digits = text.replaceAll('-', '').toLowerCase();
  const found = new RowSet(count);
  if (!/^[0-9a-f]+$/.test(digits)) return found;
  const rest = withHyphens(digits);
  for (const { ids, rows } of SOURCES[entity_type]) {
    const next = db.prepare<[string], string | null>(`SELECT min(id) FROM (${ids}) WHERE id > ?`).pluck();
    const list = db
      .prepare<[string, string, number], number>(`${rows} >= ? AND ${column(rows)} < ? AND row >= ?`)
      .pluck();
    // The prefixes are few: each is found by one look-up behind the one before it.
    for (let id = next.get(''); id; id = next.get(id.slice(0, ID_PREFIX_LENGTH) + AFTER_DIGITS)) {
      const from = id.slice(0, ID_PREFIX_LENGTH) + rest;
      for (const row of list.all(from, from + AFTER_DIGITS, first)) if (row < count) found.add(row);
    }
  }
  return found;
}

function column(rows: string): string {
  return rows.slice(rows.lastIndexOf(' ') + 1);
}

/** Writes the digits after the prefix as in a UUID. */
function withHyphens(digits: string): string {
  const nBefore = ID_PREFIX_LENGTH - 1;
  return Array.from(digits, (digit, at) => (HYPHENS.includes(nBefore + at) ? `-${digit}` : digit)).join('');
}

import type Database from 'better-sqlite3';
import type { EntityType } from '../../../contract/schemas/explore.ts';
import type { EditRow } from '../../../core/ports/edits.ts';
import { emptyBlock, flipsOfMoves, pack, type RowMove, unpack } from './row-set.repository.ts';
import { BLOCK_ROWS, type SetBlock } from './set-block.ts';

/** Maximum number of edits that can be undone. */
const KEPT_EDITS = 50;

type StoredEdit = Omit<EditRow, 'details'> & { details: string };

/** The last edits of one dataset. All writes join the caller's transaction. */
export class EditRepository {
  readonly #db: Database.Database;

  constructor(db: Database.Database) {
    this.#db = db;
  }

  /** Lists edits, latest first. */
  list(): EditRow[] {
    return this.#db.prepare<[], StoredEdit>('SELECT * FROM edit ORDER BY edit_id DESC').all().map(read);
  }

  /** Lists edits of an item and its objects, or of an object, latest first. @returns Undefined if there is none with the id. */
  listOf(mediaId: string): EditRow[] | undefined {
    const rows = this.#db
      .prepare<{ id: string }, { entity_type: EntityType; row: number }>(
        `SELECT 'IMAGES' AS entity_type, row FROM media WHERE media_id = :id
         UNION ALL SELECT 'OBJECTS', row FROM object WHERE object_id = :id OR media_id = :id`,
      )
      .all({ id: mediaId });
    if (rows.length === 0) return undefined;
    const flipped = this.#db.prepare<[string, number], { edit_id: number; bits: Uint8Array }>(
      'SELECT edit_id, bits FROM edit_block JOIN row_set USING (set_id) WHERE entity_type = ? AND block = ?',
    );
    const found = new Set(
      this.#db.prepare<[string], number>('SELECT edit_id FROM edit_value WHERE media_id = ?').pluck().all(mediaId),
    );
    for (const [place, inBlock] of Map.groupBy(
      rows,
      ({ entity_type, row }) => `${entity_type} ${Math.floor(row / BLOCK_ROWS)}`,
    )) {
      const [entityType = '', block] = place.split(' ');
      for (const { edit_id, bits } of flipped.all(entityType, Number(block))) {
        if (found.has(edit_id)) continue;
        const words = unpack(bits);
        if (inBlock.some(({ row }) => isSet(words, row % BLOCK_ROWS))) found.add(edit_id);
      }
    }
    return this.list().filter(({ edit_id }) => found.has(edit_id));
  }

  last(): EditRow | undefined {
    const found = this.#db.prepare<[], StoredEdit>('SELECT * FROM edit ORDER BY edit_id DESC LIMIT 1').get();
    return found && read(found);
  }

  find(editId: number): EditRow | undefined {
    const found = this.#db.prepare<[number], StoredEdit>('SELECT * FROM edit WHERE edit_id = ?').get(editId);
    return found && read(found);
  }

  /** Whether an edit after this one flipped some of the same bits again. */
  isChangedSince(editId: number, flipped: readonly SetBlock[]): boolean {
    const later = this.#db
      .prepare<[number, number, number], Uint8Array>(
        'SELECT bits FROM edit_block WHERE set_id = ? AND block = ? AND edit_id > ?',
      )
      .pluck();
    return flipped.some(({ set_id, block, words }) =>
      later.all(set_id, block, editId).some((bits) => {
        const again = unpack(bits);
        return words.some((word, at) => (word & (again[at] as number)) !== 0);
      }),
    );
  }

  insert({ details, ...edit }: Omit<EditRow, 'edit_id'>, flipped: readonly SetBlock[]): EditRow {
    const row = { ...edit, details: JSON.stringify(details) };
    const { lastInsertRowid } = this.#db
      .prepare<typeof row>(
        `INSERT INTO edit (kind, details, n_changed, created_by, created_at)
         VALUES (:kind, :details, :n_changed, :created_by, :created_at)`,
      )
      .run(row);
    const editId = Number(lastInsertRowid);
    const add = this.#db.prepare<[number, number, number, Uint8Array]>('INSERT INTO edit_block VALUES (?, ?, ?, ?)');
    for (const { set_id, block, words } of flipped) add.run(editId, set_id, block, pack(words));
    this.#db.prepare<[number]>('DELETE FROM edit WHERE edit_id <= ?').run(editId - KEPT_EDITS);
    return { edit_id: editId, details, ...edit };
  }

  listFlipped(editId: number): SetBlock[] {
    return this.#db
      .prepare<[number], { set_id: number; block: number; bits: Uint8Array }>(
        'SELECT set_id, block, bits FROM edit_block WHERE edit_id = ?',
      )
      .all(editId)
      .map(({ set_id, block, bits }) => ({ set_id, block, words: unpack(bits) }));
  }

  /** Moves edits of items whose rows changed to the new rows. */
  moveRows(entityType: EntityType, moves: readonly RowMove[]): void {
    if (moves.length === 0) return;
    const sets = this.#db
      .prepare<[string], { edit_id: number; set_id: number }>(
        'SELECT DISTINCT edit_id, set_id FROM edit_block JOIN row_set USING (set_id) WHERE entity_type = ?',
      )
      .all(entityType);
    const save = this.#db.prepare<[number, number, number, Uint8Array]>(
      'INSERT OR REPLACE INTO edit_block VALUES (?, ?, ?, ?)',
    );
    for (const { edit_id, set_id } of sets) {
      const read = (block: number) => this.#readBlock(edit_id, set_id, block);
      for (const { block, words } of flipsOfMoves(moves, read)) {
        save.run(edit_id, set_id, block, pack(read(block).map((word, at) => word ^ (words[at] as number))));
      }
    }
  }

  delete(editId: number): void {
    this.#db.prepare<[number]>('DELETE FROM edit WHERE edit_id = ?').run(editId);
  }

  #readBlock(editId: number, setId: number, block: number): Uint32Array {
    const found = this.#db
      .prepare<[number, number, number], Uint8Array>(
        'SELECT bits FROM edit_block WHERE edit_id = ? AND set_id = ? AND block = ?',
      )
      .pluck()
      .get(editId, setId, block);
    return found ? unpack(found) : emptyBlock();
  }
}

function isSet(words: Uint32Array, bit: number): boolean {
  return (((words[bit >>> 5] as number) >>> (bit & 31)) & 1) === 1;
}

function read({ details, ...edit }: StoredEdit): EditRow {
  return { ...edit, details: JSON.parse(details) as EditRow['details'] };
}

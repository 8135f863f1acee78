import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type Database from 'better-sqlite3';
import type { EntityType } from '../../../contract/schemas/explore.ts';
import { RowSet } from '../../vectors/row-set.ts';
import { BLOCK_ROWS, BLOCK_WORDS, type SetBlock } from './set-block.ts';
import { TagTimeRepository } from './tag-time.repository.ts';

export type SetKind = 'tag' | 'label' | 'not_label' | 'excluded' | 'verdict';

/** Identifies a set, whatever its day. */
export interface SetName {
  entity_type: EntityType;
  kind: SetKind;
  /** Id of a tag, a label, a verdict ({@link printVerdict}), or empty. */
  name: string;
}

export interface SetRow extends SetName {
  set_id: number;
  /** `YYYY-MM-DD` for tags, otherwise empty. */
  day: string;
  /** Number of changes of the rows. */
  version: number;
}

/** An item or object whose row changed. */
export interface RowMove {
  from: number;
  to: number;
}

/** Sets of rows of one dataset. All writes join the caller's transaction. */
export class RowSetRepository {
  readonly times: TagTimeRepository;
  readonly #db: Database.Database;

  constructor(db: Database.Database) {
    this.#db = db;
    this.times = new TagTimeRepository(db);
  }

  list(): SetRow[] {
    return this.#db.prepare<[], SetRow>('SELECT * FROM row_set ORDER BY set_id').all();
  }

  listOf({ entity_type, kind, name }: SetName): SetRow[] {
    return this.#db
      .prepare<[string, string, string], SetRow>(
        'SELECT * FROM row_set WHERE entity_type = ? AND kind = ? AND name = ?',
      )
      .all(entity_type, kind, name);
  }

  /** Returns the number of the set with a name and day; creates the set if it does not exist. */
  ensure({ entity_type, kind, name }: SetName, day: string): number {
    const key = { entity_type, kind, name, day };
    this.#db
      .prepare<typeof key>(
        'INSERT INTO row_set (entity_type, kind, name, day) VALUES (:entity_type, :kind, :name, :day) ON CONFLICT DO NOTHING',
      )
      .run(key);
    const find =
      'SELECT set_id FROM row_set WHERE entity_type = :entity_type AND kind = :kind AND name = :name AND day = :day';
    return this.#db.prepare<typeof key, number>(find).pluck().get(key) ?? 0;
  }

  /** Returns all rows of a set below `size`. */
  read(setId: number, size: number): RowSet {
    const words = new Uint32Array(Math.ceil(size / 32));
    for (const { block, bits } of this.#blocks(setId)) {
      const part = unpack(bits).subarray(0, Math.max(0, words.length - block * BLOCK_WORDS));
      words.set(part, block * BLOCK_WORDS);
    }
    const beyond = size & 31;
    if (beyond !== 0) words[words.length - 1] = (words.at(-1) ?? 0) & ((1 << beyond) - 1);
    return new RowSet(size, words);
  }

  readBlock(setId: number, block: number): Uint32Array {
    const found = this.#db
      .prepare<[number, number], Uint8Array>('SELECT bits FROM row_set_block WHERE set_id = ? AND block = ?')
      .pluck()
      .get(setId, block);
    return found ? unpack(found) : emptyBlock();
  }

  listBlocks(setId: number): SetBlock[] {
    return this.#blocks(setId).map(({ block, bits }) => ({ set_id: setId, block, words: unpack(bits) }));
  }

  flip({ set_id, block, words }: SetBlock): void {
    const flipped = this.readBlock(set_id, block).map((word, at) => word ^ (words[at] as number));
    if (flipped.some((word) => word !== 0)) {
      this.#db
        .prepare<[number, number, Uint8Array]>('INSERT OR REPLACE INTO row_set_block VALUES (?, ?, ?)')
        .run(set_id, block, pack(flipped));
    } else {
      this.#db.prepare<[number, number]>('DELETE FROM row_set_block WHERE set_id = ? AND block = ?').run(set_id, block);
    }
    this.#db.prepare<[number]>('UPDATE row_set SET version = version + 1 WHERE set_id = ?').run(set_id);
  }

  /**
   * Moves rows in all sets, because the same items have new rows.
   * @returns Whether any set changed.
   */
  moveRows(entityType: EntityType, moves: readonly RowMove[]): boolean {
    const sets = moves.length === 0 ? [] : this.list().filter(({ entity_type }) => entity_type === entityType);
    const flipped = sets.flatMap(({ set_id }) =>
      flipsOfMoves(moves, (block) => this.readBlock(set_id, block)).map((part) => ({ set_id, ...part })),
    );
    for (const { set_id } of sets.filter(({ kind }) => kind === 'tag')) this.#moveTimes(set_id, moves);
    for (const block of flipped) this.flip(block);
    return flipped.length > 0;
  }

  /** Removes rows from `row` on from all sets, because these row numbers will be assigned to other items. */
  clearFrom(entityType: EntityType, row: number): void {
    for (const { set_id, entity_type } of this.list()) {
      if (entity_type !== entityType) continue;
      for (const { block, words } of this.listBlocks(set_id)) {
        const first = row - block * BLOCK_ROWS;
        if (first >= BLOCK_ROWS) continue;
        const beyond = words.map((word, at) => (word & bitsFrom(first - at * 32)) >>> 0);
        if (beyond.some((word) => word !== 0)) this.flip({ set_id, block, words: beyond });
      }
    }
  }

  /** Copies the times of rows of a set to their new rows. */
  #moveTimes(setId: number, moves: readonly RowMove[]): void {
    for (const { from, to } of moves) {
      const [block, place] = [Math.floor(from / BLOCK_ROWS), from % BLOCK_ROWS];
      const has = ((this.readBlock(setId, block)[place >>> 5] ?? 0) & (1 << (place & 31))) !== 0;
      if (!has) continue;
      const time = this.times.read(setId, block)[place] ?? 0;
      const moved = { set_id: setId, block: Math.floor(to / BLOCK_ROWS), words: emptyBlock() };
      moved.words[(to % BLOCK_ROWS) >>> 5] = 1 << (to & 31);
      this.times.set(moved, () => time);
    }
  }

  #blocks(setId: number): { block: number; bits: Uint8Array }[] {
    return this.#db
      .prepare<[number], { block: number; bits: Uint8Array }>(
        'SELECT block, bits FROM row_set_block WHERE set_id = ? ORDER BY block',
      )
      .all(setId);
  }
}

/** Yields the non-empty blocks of a set. */
export function* blocksOf(words: Uint32Array): Iterable<{ block: number; words: Uint32Array }> {
  for (let block = 0; block * BLOCK_WORDS < words.length; block += 1) {
    const part = words.subarray(block * BLOCK_WORDS, (block + 1) * BLOCK_WORDS);
    if (!part.some((word) => word !== 0)) continue;
    const whole = new Uint32Array(BLOCK_WORDS);
    whole.set(part);
    yield { block, words: whole };
  }
}

/** Returns a mask of the bits of a word from a position on. */
function bitsFrom(place: number): number {
  if (place <= 0) return -1;
  return place >= 32 ? 0 : -1 << place;
}

/** Returns the blocks of a set that moving rows flips. */
export function flipsOfMoves(
  moves: readonly RowMove[],
  read: (block: number) => Uint32Array,
): { block: number; words: Uint32Array }[] {
  const known = new Map<number, { before: Uint32Array; words: Uint32Array }>();
  const blockOf = (row: number) => {
    const block = Math.floor(row / BLOCK_ROWS);
    const found = known.get(block) ?? { before: read(block), words: new Uint32Array(BLOCK_WORDS) };
    known.set(block, found);
    return found;
  };
  const flip = (row: number) => {
    const [{ words }, place] = [blockOf(row), row % BLOCK_ROWS];
    words[place >>> 5] = (words[place >>> 5] as number) ^ (1 << (place & 31));
  };
  const has = (row: number) => {
    const [{ before }, place] = [blockOf(row), row % BLOCK_ROWS];
    return ((before[place >>> 5] as number) & (1 << (place & 31))) !== 0;
  };
  for (const { from, to } of moves) {
    if (!has(from)) continue;
    flip(from);
    if (!has(to)) flip(to);
  }
  const flipped = [...known].map(([block, { words }]) => ({ block, words }));
  return flipped.filter(({ words }) => words.some((word) => word !== 0));
}

export function emptyBlock(): Uint32Array<ArrayBuffer> {
  return new Uint32Array(BLOCK_WORDS);
}

export function pack(words: Uint32Array): Uint8Array {
  return deflateRawSync(new Uint8Array(words.buffer, words.byteOffset, words.byteLength), { level: 1 });
}

export function unpack(bits: Uint8Array): Uint32Array {
  const bytes = inflateRawSync(bits, { maxOutputLength: BLOCK_WORDS * 4 });
  return new Uint32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + BLOCK_WORDS * 4));
}

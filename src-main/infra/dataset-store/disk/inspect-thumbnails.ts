import { closeSync, existsSync, openSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import type Database from 'better-sqlite3';
import { message } from '../../../contract/messages.ts';
import type { EntityType } from '../../../contract/schemas/explore.ts';
import type { Damage, InspectionDepth } from '../../../core/ports/damage.ts';
import type { Pace } from '../../../core/ports/read-limits.ts';
import { entityTable, entityWord } from './entity-tables.ts';
import { listPacks } from './generation-files.ts';
import { rangesOf } from './row-ranges.ts';
import { packFile, packNumber, THUMBNAIL_FOLDERS, type ThumbnailSlot } from './thumbnail-packs.ts';

/** Number of thumbnails listed together. A quick inspection checks only the last ROWS_OF_A_QUICK_LOOK thumbnails. */
const ROWS_AT_ONCE = 1000;
const ROWS_OF_A_QUICK_LOOK = 16;

type Row = ThumbnailSlot & { row: number };

/** Compares thumbnails with their checksums. */
export async function inspectThumbnails(
  db: Database.Database,
  folder: string,
  entityType: EntityType,
  depth: InspectionDepth,
  pace: Pace,
): Promise<Damage[]> {
  const table = entityTable(entityType);
  const columns = 'row, thumbnail_pack, thumbnail_offset, thumbnail_bytes, thumbnail_crc32';
  const packs = new OpenPacks(join(folder, THUMBNAIL_FOLDERS[entityType]));
  const damaged: number[] = [];
  const inspect = async (rows: readonly Row[]) => {
    let readBytes = 0;
    for (const row of rows) {
      const bytes = packs.read(row);
      readBytes += bytes?.length ?? 0;
      if (bytes === undefined || row.thumbnail_crc32 !== crc32(bytes)) damaged.push(row.row);
    }
    await pace(readBytes);
  };
  try {
    if (depth === 'quick') {
      await inspect(
        db
          .prepare<[], Row>(`SELECT ${columns} FROM ${table} ORDER BY row DESC LIMIT ${ROWS_OF_A_QUICK_LOOK}`)
          .all()
          .toReversed(),
      );
      damaged.push(...listCut(db, folder, entityType));
    } else {
      const list = db.prepare<[number], Row>(
        `SELECT ${columns} FROM ${table} WHERE row > ? ORDER BY row LIMIT ${ROWS_AT_ONCE}`,
      );
      for (let rows = list.all(-1); rows.length > 0; rows = list.all(rows.at(-1)?.row ?? 0)) await inspect(rows);
    }
  } finally {
    packs.close();
  }
  if (damaged.length === 0) return [];
  const rows = rangesOf(new Set(damaged.toSorted((a, b) => a - b)));
  const n = rows.reduce((sum, { from, to }) => sum + to - from, 0);
  const detail = message('thumbnails_damaged', { count: n, entities: entityWord(entityType) });
  return [{ part: 'thumbnails', entity_type: entityType, detail, rows }];
}

/** Lists rows whose thumbnails extend past the end of their packs. */
function listCut(db: Database.Database, folder: string, entityType: EntityType): number[] {
  const list = db
    .prepare<[number, number], number>(
      `SELECT row FROM ${entityTable(entityType)} WHERE thumbnail_pack = ? AND thumbnail_offset + thumbnail_bytes > ?`,
    )
    .pluck();
  return listPacks(db, entityType).flatMap(({ path, bytes }) => {
    const size = statSync(join(folder, path), { throwIfNoEntry: false })?.size ?? 0;
    return size < bytes ? list.all(packNumber(path) ?? 0, size) : [];
  });
}

/** Keeps the pack that was read last open: consecutive rows are mostly in the same pack. */
class OpenPacks {
  readonly #folder: string;
  #open: { pack: number; file: number } | undefined;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Returns the bytes, or undefined if the pack does not have all of them. */
  read({ thumbnail_pack, thumbnail_offset, thumbnail_bytes }: ThumbnailSlot): Buffer | undefined {
    if (this.#open?.pack !== thumbnail_pack) {
      this.close();
      const path = packFile(this.#folder, thumbnail_pack);
      if (!existsSync(path)) return undefined;
      this.#open = { pack: thumbnail_pack, file: openSync(path, 'r') };
    }
    const bytes = Buffer.allocUnsafe(thumbnail_bytes);
    const read = readSync(this.#open.file, bytes, 0, bytes.length, thumbnail_offset);
    return read === bytes.length ? bytes : undefined;
  }

  close(): void {
    if (this.#open) closeSync(this.#open.file);
    this.#open = undefined;
  }
}

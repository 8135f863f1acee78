import { randomUUID } from 'node:crypto';
import { statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import type { SnapshotChange, SnapshotChangeKind } from '../../../contract/schemas/snapshot.ts';
import type { ChangesQuery, FoundChanges } from '../../../core/ports/snapshots.ts';
import { databaseParts, openDatabase, openReadOnly } from '../../sqlite/open-database.ts';
import type { RowSet } from '../../vectors/row-set.ts';
import { RowSetRepository, type SetKind } from '../edits/row-set.repository.ts';
import { IS_SHOWN } from '../labels/annotation.repository.ts';
import { datasetMigrations } from '../schema/migrations.ts';
import { restoreRows } from './stored-snapshots.ts';

type Side = 'before' | 'after';

const TABLES = (['before', 'after'] as const)
  .map(
    (side) => `
    CREATE TABLE ${side}_item (media_id TEXT PRIMARY KEY, row INTEGER NOT NULL, file_path TEXT NOT NULL, excluded INTEGER NOT NULL) STRICT, WITHOUT ROWID;
    CREATE TABLE ${side}_row (row INTEGER NOT NULL, what TEXT NOT NULL, key TEXT NOT NULL, name TEXT NOT NULL) STRICT;
    CREATE TABLE ${side}_annotation (media_id TEXT NOT NULL, what TEXT NOT NULL, key TEXT NOT NULL, name TEXT NOT NULL,
      PRIMARY KEY (media_id, what, key)) STRICT, WITHOUT ROWID;`,
  )
  .join('');

/** SQL of each kind of change, in the order in which the kinds are listed. */
const CHANGES: readonly (readonly [kind: SnapshotChangeKind, select: string])[] = [
  ['item_added', itemsOnlyIn('after', 'before')],
  ['item_removed', itemsOnlyIn('before', 'after')],
  ['item_excluded', itemsThatBecame(1)],
  ['item_included', itemsThatBecame(0)],
  ['label_added', annotatedOnlyIn('after', 'before', 'label')],
  ['label_removed', annotatedOnlyIn('before', 'after', 'label')],
  ['tag_added', annotatedOnlyIn('after', 'before', 'tag')],
  ['tag_removed', annotatedOnlyIn('before', 'after', 'tag')],
];

/**
 * Finds the differences between states of a dataset: items by their ids, labels with users' corrections, tags. The last comparison is
 * stored for its next page, in a file that SQLite deletes.
 */
export class StateComparer {
  readonly #temporaryFolder: string;
  #last: { key: string; db: Database.Database } | undefined;

  constructor(temporaryFolder: string) {
    this.#temporaryFolder = temporaryFolder;
  }

  /** @param folder Folder of the dataset's current generation. */
  async list(folder: string, { before, after, kind, offset, limit }: ChangesQuery): Promise<FoundChanges> {
    const key = `${folder} ${before} ${after ?? stateOf(folder)}`;
    if (this.#last?.key !== key) {
      this.close();
      this.#last = { key, db: await this.#compare(folder, before, after) };
    }
    const { db } = this.#last;
    const counted = db
      .prepare<[], { kind: SnapshotChangeKind; n: number }>('SELECT kind, count(*) AS n FROM change GROUP BY kind')
      .all();
    const counts: FoundChanges['counts'] = Object.fromEntries(counted.map((one) => [one.kind, one.n]));
    const changes = db
      .prepare<[string | null, string | null, number, number], SnapshotChange>(
        `SELECT kind, media_id, file_path, name FROM change WHERE ? IS NULL OR kind = ? ORDER BY place LIMIT ? OFFSET ?`,
      )
      .all(kind, kind, limit, offset);
    const total = kind === null ? counted.reduce((sum, { n }) => sum + n, 0) : (counts[kind] ?? 0);
    return { counts, changes, total };
  }

  close(): void {
    this.#last?.db.close();
    this.#last = undefined;
  }

  async #compare(folder: string, before: string, after: string | null): Promise<Database.Database> {
    const db = new Database('');
    try {
      db.exec(`${TABLES} CREATE TABLE change (place INTEGER PRIMARY KEY, kind TEXT NOT NULL, media_id TEXT NOT NULL,
        file_path TEXT NOT NULL, name TEXT) STRICT; CREATE INDEX change_kind ON change (kind, place);`);
      await this.#takeSnapshot(db, folder, 'before', before);
      if (after === null) takeState(db, 'after', openReadOnly(join(folder, 'data.db')));
      else await this.#takeSnapshot(db, folder, 'after', after);
      for (const [kind, select] of CHANGES) {
        db.prepare(`INSERT INTO change (kind, media_id, file_path, name) SELECT '${kind}', * FROM (${select})`).run();
      }
      return db;
    } catch (error) {
      db.close();
      throw error;
    }
  }

  async #takeSnapshot(db: Database.Database, folder: string, side: Side, snapshotId: string): Promise<void> {
    const file = join(this.#temporaryFolder, `${randomUUID()}.db`);
    try {
      await restoreRows({ datasetFolder: dirname(folder), snapshotId }, file);
      takeState(db, side, openDatabase(file, datasetMigrations));
    } finally {
      for (const part of databaseParts(file)) await rm(part, { force: true });
    }
  }
}

/** Returns a string that changes with every commit to a generation. */
function stateOf(folder: string): string {
  const parts = databaseParts(join(folder, 'data.db')).map((part) => statSync(part, { throwIfNoEntry: false }));
  return parts.map((part) => `${part?.size}:${part?.mtimeMs}`).join(' ');
}

/** Copies the state's items and their annotations, then closes its database. */
function takeState(db: Database.Database, side: Side, state: Database.Database): void {
  try {
    // Reads one state of a live database, whatever is written meanwhile.
    state.exec('BEGIN');
    db.transaction(() => {
      const sets = new ItemSets(state);
      takeItems(db, side, state, sets);
      takeLabels(db, side, state, sets);
      takeTags(db, side, state, sets);
      db.exec(`CREATE INDEX ${side}_item_row ON ${side}_item (row);
        INSERT OR IGNORE INTO ${side}_annotation SELECT media_id, what, key, name FROM ${side}_row JOIN ${side}_item USING (row)`);
    })();
  } finally {
    state.close();
  }
}

/** Users' edits of the items of a state. */
class ItemSets {
  readonly #sets: { kind: SetKind; name: string; rows: RowSet }[];

  constructor(state: Database.Database) {
    const repository = new RowSetRepository(state);
    const size = state.prepare<[], number>('SELECT coalesce(max(row) + 1, 0) FROM media').pluck().get() ?? 0;
    this.#sets = repository
      .list()
      .filter(({ entity_type }) => entity_type === 'IMAGES')
      .map(({ set_id, kind, name }) => ({ kind, name, rows: repository.read(set_id, size) }));
  }

  of(kind: SetKind): readonly { name: string; rows: RowSet }[] {
    return this.#sets.filter((set) => set.kind === kind);
  }
}

function takeItems(db: Database.Database, side: Side, state: Database.Database, sets: ItemSets): void {
  const excluded = sets.of('excluded');
  const insert = db.prepare<[string, number, string, number]>(`INSERT INTO ${side}_item VALUES (?, ?, ?, ?)`);
  const items = state.prepare<[], { media_id: string; row: number; file_path: string }>(
    `SELECT media_id, row, file_path FROM media JOIN file USING (file_id) WHERE state = 'done'`,
  );
  for (const { media_id, row, file_path } of items.iterate()) {
    insert.run(media_id, row, file_path, Number(excluded.some(({ rows }) => rows.has(row))));
  }
}

function takeLabels(db: Database.Database, side: Side, state: Database.Database, sets: ItemSets): void {
  const insert = sayer(db, side);
  const denied = Map.groupBy(sets.of('not_label'), ({ name }) => name);
  const labels = state.prepare<[], { row: number; label: string }>(
    `SELECT row, label FROM label JOIN media USING (media_id) WHERE ${IS_SHOWN}`,
  );
  for (const { row, label } of labels.iterate()) {
    if (!denied.get(label)?.some(({ rows }) => rows.has(row))) insert(row, 'label', label, label);
  }
  for (const { name, rows } of sets.of('label')) {
    rows.forEach((row) => {
      insert(row, 'label', name, name);
    });
  }
}

function takeTags(db: Database.Database, side: Side, state: Database.Database, sets: ItemSets): void {
  const insert = sayer(db, side);
  const tags = state.prepare<[], { tag_id: string; name: string }>('SELECT tag_id, name FROM tag').all();
  const names = new Map(tags.map(({ tag_id, name }) => [tag_id, name]));
  for (const { name, rows } of sets.of('tag')) {
    rows.forEach((row) => {
      insert(row, 'tag', name, names.get(name) ?? name);
    });
  }
}

/** Returns a function that records an annotation of a row. */
function sayer(db: Database.Database, side: Side): (row: number, what: string, key: string, name: string) => void {
  const insert = db.prepare<[number, string, string, string]>(`INSERT INTO ${side}_row VALUES (?, ?, ?, ?)`);
  return (row, what, key, name) => {
    insert.run(row, what, key, name);
  };
}

function itemsOnlyIn(side: Side, other: Side): string {
  return `SELECT media_id, file_path, NULL FROM ${side}_item
    WHERE media_id NOT IN (SELECT media_id FROM ${other}_item) ORDER BY file_path, media_id`;
}

function itemsThatBecame(excluded: 0 | 1): string {
  return `SELECT after_item.media_id, after_item.file_path, NULL FROM after_item JOIN before_item USING (media_id)
    WHERE after_item.excluded = ${excluded} AND before_item.excluded <> ${excluded}
    ORDER BY after_item.file_path, media_id`;
}

function annotatedOnlyIn(side: Side, other: Side, what: 'label' | 'tag'): string {
  return `SELECT media_id, ${side}_item.file_path, name FROM ${side}_annotation JOIN ${side}_item USING (media_id)
    WHERE what = '${what}' AND media_id IN (SELECT media_id FROM ${other}_item) AND NOT EXISTS (
      SELECT 1 FROM ${other}_annotation AS there
      WHERE there.media_id = ${side}_annotation.media_id AND there.what = '${what}' AND there.key = ${side}_annotation.key)
    ORDER BY name, file_path, media_id`;
}

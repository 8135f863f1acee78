import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { Columns } from '../../../src-main/infra/dataset-store/columns/columns.ts';
import { DataVersions } from '../../../src-main/infra/dataset-store/columns/data-versions.ts';
import { LiveRows } from '../../../src-main/infra/dataset-store/columns/live-rows.ts';
import { MetaRepository } from '../../../src-main/infra/dataset-store/disk/meta.repository.ts';
import { EditedRows } from '../../../src-main/infra/dataset-store/edits/edited-rows.ts';
import { RowSetRepository } from '../../../src-main/infra/dataset-store/edits/row-set.repository.ts';
import { IssueScores } from '../../../src-main/infra/dataset-store/issues/issue-scores.ts';
import { datasetMigrations } from '../../../src-main/infra/dataset-store/schema/migrations.ts';
import { IndexReader } from '../../../src-main/infra/dataset-store/vectors/index-reader.ts';
import { VectorSpaces } from '../../../src-main/infra/dataset-store/vectors/vector-spaces.ts';
import { openDatabase } from '../../../src-main/infra/sqlite/open-database.ts';
import { BuiltInEngine } from '../../../src-main/infra/vectors/built-in/built-in-engine.ts';
import { fillDatabase } from '../../support/fill-database.ts';
import { ISSUE_LIMITS } from '../../support/issue-limits.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** Number of items, more than are read in one chunk. */
const ITEMS = 9000;
/** Maximum number of chunks, far more than both calls need. */
const ENOUGH = 1000;

it('issues that are made for two sets of limits at the same time are made for both', async () => {
  const folder = await temporaryFolder();
  const db = openDatabase(join(folder, 'data.db'), datasetMigrations);
  onTestFinished(() => void db.close());
  fillDatabase(db, ITEMS);
  const meta = new MetaRepository(db);
  const versions = new DataVersions(meta);
  const index = new IndexReader(folder, meta, new LiveRows(db, versions));
  const edits = new EditedRows(new RowSetRepository(db), versions);
  const vectors = new VectorSpaces(meta, new BuiltInEngine({ folder }));
  const scores = new IssueScores({ db, versions, index, edits, vectors });
  const facts = {
    entity_type: 'IMAGES' as const,
    count: ITEMS,
    nItems: ITEMS,
    columns: new Columns({ db, versions, folder }).read({ IMAGES: ITEMS, OBJECTS: 0 }),
    *makeDuplicates() {
      yield;
    },
    duplicateConfidences: () => new Map<number, number>(),
  };
  const stricter = { ...ISSUE_LIMITS, dark: ISSUE_LIMITS.dark * 2 };
  const calls = [ISSUE_LIMITS, stricter].map((limits) => scores.make(['dark'], limits, () => facts));
  let nPieces = 0;
  while (calls.length > 0 && nPieces < ENOUGH) {
    nPieces += 1;
    const call = calls.shift();
    if (call && !call.next().done) calls.push(call);
  }
  expect(calls).toEqual([]);
  const [dark, darker] = [ISSUE_LIMITS, stricter].map((limits) => scores.of('dark', limits, facts));
  expect(dark?.some((confidence, row) => confidence < (darker?.[row] ?? 0))).toBe(true);
  expect(dark?.every((confidence, row) => confidence <= (darker?.[row] ?? 0))).toBe(true);
});

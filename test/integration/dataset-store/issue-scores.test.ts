import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { VectorEngine } from '../../../src-main/core/ports/vector-engine.ts';
import { Columns } from '../../../src-main/infra/dataset-store/columns/columns.ts';
import { DataVersions } from '../../../src-main/infra/dataset-store/columns/data-versions.ts';
import { LiveRows } from '../../../src-main/infra/dataset-store/columns/live-rows.ts';
import { awaitAllOf } from '../../../src-main/infra/dataset-store/columns/pieces.ts';
import { MetaRepository } from '../../../src-main/infra/dataset-store/disk/meta.repository.ts';
import { EditedRows } from '../../../src-main/infra/dataset-store/edits/edited-rows.ts';
import { RowSetRepository } from '../../../src-main/infra/dataset-store/edits/row-set.repository.ts';
import { IssueScores } from '../../../src-main/infra/dataset-store/issues/issue-scores.ts';
import { datasetMigrations } from '../../../src-main/infra/dataset-store/schema/migrations.ts';
import { IndexReader } from '../../../src-main/infra/dataset-store/vectors/index-reader.ts';
import { VectorSpaces } from '../../../src-main/infra/dataset-store/vectors/vector-spaces.ts';
import { openDatabase } from '../../../src-main/infra/sqlite/open-database.ts';
import { writeArrays } from '../../../src-main/infra/vectors/array-file.ts';
import { BuiltInEngine } from '../../../src-main/infra/vectors/built-in/built-in-engine.ts';
import { writeClusters } from '../../../src-main/infra/vectors/clustering/cluster-file.ts';
import { fillDatabase } from '../../support/fill-database.ts';
import { seeded } from '../../support/images.ts';
import { ISSUE_LIMITS } from '../../support/issue-limits.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { ExactEngine } from '../vectors/exact-engine.ts';

/** Number of items, more than are read in one chunk. */
const ITEMS = 9000;
/** Maximum number of chunks, far more than both calls need. */
const ENOUGH = 1000;

/** The issues of a new dataset whose vectors are in an engine. */
async function openScores(nItems: number, engineOf: (folder: string) => VectorEngine) {
  const folder = await temporaryFolder();
  const db = openDatabase(join(folder, 'data.db'), datasetMigrations);
  onTestFinished(() => void db.close());
  fillDatabase(db, nItems);
  const meta = new MetaRepository(db);
  const versions = new DataVersions(meta);
  const index = new IndexReader(folder, meta, new LiveRows(db, versions));
  const edits = new EditedRows(new RowSetRepository(db), versions);
  const vectors = new VectorSpaces(meta, engineOf(folder));
  const facts = {
    entity_type: 'IMAGES' as const,
    count: nItems,
    nItems,
    columns: new Columns({ db, versions, folder }).read({ IMAGES: nItems, OBJECTS: 0 }),
    duplicates: {
      *load() {
        yield;
      },
      confidences: () => new Map<number, number>(),
    },
  };
  return { scores: new IssueScores({ db, versions, index, edits, vectors }), facts, index, vectors };
}

it('computes issues for two sets of limits at the same time', async () => {
  const { scores, facts } = await openScores(ITEMS, (folder) => new BuiltInEngine({ folder }));
  const stricter = { ...ISSUE_LIMITS, dark: ISSUE_LIMITS.dark * 2 };
  const calls = [ISSUE_LIMITS, stricter].map((limits) => scores.make(['dark'], limits, () => facts));
  let nPieces = 0;
  while (calls.length > 0 && nPieces < ENOUGH) {
    nPieces += 1;
    const call = calls.shift();
    if (call && !(await call.next()).done) calls.push(call);
  }
  expect(calls).toEqual([]);
  const [dark, darker] = [ISSUE_LIMITS, stricter].map((limits) => scores.of('dark', limits, facts));
  expect(dark?.some((confidence, row) => confidence < (darker?.[row] ?? 0))).toBe(true);
  expect(dark?.every((confidence, row) => confidence <= (darker?.[row] ?? 0))).toBe(true);
});

it('computes label issues when the engine answers with neighbours later', async () => {
  const [nItems, nLabels, wrong] = [1600, 80, 5];
  const { scores, facts, index, vectors } = await openScores(nItems, () => new ExactEngine(new Map()));
  vectors.fix('looks', 'IMAGES', { encoder_id: 'looks', dim: nLabels });
  const random = seeded(7);
  const oneHot = Array.from({ length: nItems }, (_, row) => {
    const direction = row === wrong ? wrong + 1 : row % nLabels;
    const vector = Array.from({ length: nLabels }, (_, at) => (at === direction ? 1 : 0.02 * random()));
    const norm = Math.hypot(...vector);
    return vector.map((value) => value / norm);
  });
  const collection = vectors.of('looks', 'IMAGES');
  await collection.upsert(Int32Array.from(oneHot.keys()), Float32Array.from(oneHot.flat()));
  const space = { space: 'looks' as const, entity_type: 'IMAGES' as const, version: 1, count: nItems };
  const { recall, sha256 } = await collection.index({ ...space, base: undefined, dead_rows: [], threads: 1 });
  const files = index.files('looks', 'IMAGES', 1);
  mkdirSync(dirname(files.clusters_file));
  writeClusters(files.clusters_file, []);
  writeArrays(files.uniqueness_file, [new Float32Array(nItems)]);
  const built = { n_clusters: [], default_level: 0, recall_estimate: recall, linkage_thresholds: [] };
  index.publish(space, { ...built, engine_sha256: sha256 });

  await awaitAllOf(scores.make(['mislabels'], ISSUE_LIMITS, () => facts));
  const found = scores.of('mislabels', ISSUE_LIMITS, facts);
  expect([...found.keys()].filter((row) => (found[row] ?? 0) >= 0.5)).toEqual([wrong]);
  const [issue] = scores.ofRows(ISSUE_LIMITS, facts, ['mislabels'])(wrong);
  expect(issue).toMatchObject({ issue: 'mislabels', instead: `class ${wrong + 1}` });
});

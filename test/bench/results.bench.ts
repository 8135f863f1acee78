import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { sourceWorkers } from '../../src-main/compose/worker-entries.ts';
import { DataVersions } from '../../src-main/infra/dataset-store/columns/data-versions.ts';
import { MetaRepository } from '../../src-main/infra/dataset-store/disk/meta.repository.ts';
import { LocalResultWrites } from '../../src-main/infra/dataset-store/results/local-result-writes.ts';
import { datasetMigrations } from '../../src-main/infra/dataset-store/schema/migrations.ts';
import { VectorSpaces } from '../../src-main/infra/dataset-store/vectors/vector-spaces.ts';
import { createParquetThreads } from '../../src-main/infra/parquet/parquet-thread.ts';
import { openParquet } from '../../src-main/infra/parquet/read-parquet.ts';
import { openDatabase } from '../../src-main/infra/sqlite/open-database.ts';
import { openVectorEngine } from '../../src-main/infra/vectors/open-engine.ts';
import { fillDatabase } from '../support/fill-database.ts';
import { seeded } from '../support/images.ts';
import { resultTable } from '../support/results.ts';
import { toMib } from './process-memory.ts';

/** Number of items; `VITRINE_BENCH_ITEMS` overrides it with a smaller number. */
const ITEMS = Number(process.env.VITRINE_BENCH_ITEMS ?? 1_000_000);
const PART_ROWS = 10_000;

/**
 * Measures the import of embeddings without the index, against reading the same files without looking at the rows: long vectors for a twentieth
 * of the items, and short ones for all of them.
 */
export async function measureResults(folder: string): Promise<unknown> {
  return {
    long: await measure(join(folder, 'long'), ITEMS / 20, 512),
    many: await measure(join(folder, 'many'), ITEMS, 16),
  };
}

async function measure(folder: string, items: number, dim: number): Promise<unknown> {
  await mkdir(join(folder, 'index'), { recursive: true });
  const db = openDatabase(join(folder, 'data.db'), datasetMigrations);
  const parts = await writeParts(folder, fillDatabase(db, items), dim);
  const bareS = await seconds(() => readBare(parts.map(({ path }) => path)));

  const meta = new MetaRepository(db);
  const engine = openVectorEngine({ kind: 'built-in', folder });
  const writes = new LocalResultWrites({
    ...{ db, folder, meta, vectors: new VectorSpaces(meta, engine), versions: new DataVersions(meta) },
    countRows: () => items,
    openParquet: createParquetThreads(sourceWorkers(resolve(import.meta.dirname, '../../src-main')).parquet),
    noteChange: () => undefined,
    dropMeaning: () => Promise.resolve(),
    discardBoxes: () => Promise.resolve(),
  });
  const before = process.memoryUsage().rss;
  let peak = before;
  const sample = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage().rss);
  }, 100);
  const of = { import_id: 'bench', manifest_sha256: '', kind: 'embeddings', model_id: 'bench', dim } as const;
  const checkS = await seconds(async () => {
    await writes.begin({ ...of, with_objects: false, categories: {} });
    const [first] = parts;
    if (first) await writes.openPart(first);
    for (let nth = 1; nth <= parts.length; nth += 1) {
      const next = parts[nth];
      if (next) await writes.openPart(next);
      while (!(await writes.readPart()).finished);
    }
  });
  const saveS = await seconds(async () => {
    while (!(await writes.saveNext()).finished);
  });
  clearInterval(sample);
  const problems = writes.listProblems();
  await writes.end();
  await engine.close();
  db.close();
  return {
    vectors: problems.n_rows,
    dim,
    bare_per_s: Math.round(items / bareS),
    imported_per_s: Math.round(items / (checkS + saveS)),
    ratio: Math.round((100 * bareS) / (checkS + saveS)) / 100,
    check_s: Math.round(checkS * 10) / 10,
    save_s: Math.round(saveS * 10) / 10,
    memory_growth_mib: toMib(peak - before),
    wrong: problems.parts.length + problems.rows.length,
  };
}

async function writeParts(folder: string, mediaIds: readonly string[], dim: number) {
  const random = seeded(5);
  const parts: { file: string; path: string; rows: number; sha256: string }[] = [];
  for (let first = 0; first < mediaIds.length; first += PART_ROWS) {
    const rows = mediaIds.slice(first, first + PART_ROWS).map((mediaId) => ({
      media_id: mediaId,
      embedding: Array.from({ length: dim }, () => Math.fround(random() - 0.5)),
    }));
    const file = `part-${String(first / PART_ROWS).padStart(5, '0')}.parquet`;
    const path = join(folder, file);
    await writeFile(path, resultTable(rows));
    const sha256 = createHash('sha256')
      .update(await readFile(path))
      .digest('hex');
    parts.push({ file, path, rows: rows.length, sha256 });
  }
  return parts;
}

async function readBare(paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    const table = await openParquet(path);
    for await (const _batch of table.rows(['media_id', 'embedding'], new AbortController().signal));
    await table.close();
  }
}

async function seconds(work: () => Promise<void>): Promise<number> {
  const started = performance.now();
  await work();
  return (performance.now() - started) / 1000;
}

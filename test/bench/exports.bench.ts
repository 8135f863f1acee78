import { open, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { everything } from '../../src-main/core/ports/query.ts';
import { GenerationReader } from '../../src-main/infra/dataset-store/thread/generation-reader.ts';
import { writeExport } from '../../src-main/infra/exports/write-export.ts';
import { createEngineMemories } from '../../src-main/infra/vectors/open-engine.ts';
import { ISSUE_LIMITS } from '../support/issue-limits.ts';
import { memoryOf, peakDuring, toMib, totalOf } from './process-memory.ts';
import { generateLabelled } from './queries.bench.ts';
import { round, seconds } from './timing.ts';

/** Number of items; `VITRINE_BENCH_ITEMS` overrides it. */
const ITEMS = Number(process.env.VITRINE_BENCH_ITEMS ?? 100_000);
const FORMATS = ['json', 'parquet', 'coco', 'csv'] as const;

/**
 * Measures items per second of exports without images, against a bare write of the same bytes, and the memory that each export adds to that
 * of an open dataset.
 */
export async function measureExports(folder: string): Promise<unknown> {
  await generateLabelled(folder, ITEMS);
  const reader = new GenerationReader({
    ...{ dataset_id: 'bench', dataFolder: folder, folder, parquetEntryFile: '' },
    memories: createEngineMemories(),
  });
  const chosen = await reader.subjects.explore.choosePage({ plan: everything('IMAGES'), cluster_id: undefined }, PAGE);
  const measured: Record<string, unknown> = {};
  for (const format of FORMATS) {
    const file = join(folder, `${format}.zip`);
    const write = () =>
      writeExport(file, {
        items: reader.exported,
        request: { ...REQUEST, format, chosen },
        urlsOf: async (expected) => expected.map(({ media_id }) => `${ADDRESS}${media_id}`),
        onProgress: () => undefined,
      });
    // The first export loads the columns that stay cached in memory.
    await reader.atOneMoment(write);
    const before = totalOf(await memoryOf(process.pid));
    let exportS = 0;
    const peak = await peakDuring(
      () => memoryOf(process.pid),
      async () => {
        exportS = await seconds(() => reader.atOneMoment(write));
      },
    );
    const bareS = await writeBare(file);
    measured[format] = {
      items_per_s: Math.round(ITEMS / exportS),
      export_s: round(exportS),
      zip_mib: toMib((await stat(file)).size),
      bare_s: round(bareS),
      added_mib: peak.total_mib - toMib(before),
    };
    await rm(file);
  }
  reader.close();
  return { items: ITEMS, ...measured };
}

/** @returns Seconds to write and flush the same bytes as a file has. */
async function writeBare(file: string): Promise<number> {
  const bytes = await readFile(file);
  const copy = `${file}.bare`;
  const taken = await seconds(async () => {
    const target = await open(copy, 'w');
    await target.writeFile(bytes);
    await target.sync();
    await target.close();
  });
  await rm(copy);
  return taken;
}

/** A URL as long as real ones. */
const ADDRESS = `http://127.0.0.1:2080/api/v1/media/${'0'.repeat(36)}?expires=1700000000&signature=${'x'.repeat(22)}&of=`;
const PAGE = { offset: 0, limit: undefined };
const REQUEST = {
  dataset_id: 'bench',
  generation: 1,
  is_archive: true,
  include_images: false,
  level: 2,
  split: null,
  limits: ISSUE_LIMITS,
  info: {
    schema_version: '1.1',
    dataset: 'measured',
    description: '',
    dataset_url: '',
    export_time: '2026-01-01T00:00:00.000Z',
    dataset_creation_time: '2026-01-01T00:00:00.000Z',
    exported_by: 'owner@localhost',
  },
} as const;

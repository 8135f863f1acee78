import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { BuiltInEngine } from '../../src-main/infra/vectors/built-in/built-in-engine.ts';
import { looksOfItems } from '../support/index-request.ts';
import { repository } from '../support/server.ts';
import type { IndexFigures } from './index-program.ts';
import { layeredVectors } from './layered-vectors.ts';
import { round } from './timing.ts';

const SIZES = (process.env.VITRINE_BENCH_ROWS ?? '30000,100000').split(',').map(Number);
const DIMS = (process.env.VITRINE_BENCH_DIMS ?? '64,512').split(',').map(Number);
const PAGE_ROWS = 50_000;

/**
 * Measures how time, memory and disk of an index grow with the number of vectors and their length: neighbour graph, lists, clusters and
 * uniqueness scores of generated vectors, each in a process of its own.
 */
export async function measureScale(root: string): Promise<object> {
  const figures: Record<string, object> = {};
  for (const dim of DIMS) {
    for (const count of SIZES) {
      const folder = await mkdtemp(join(root, 'scale-'));
      await store(folder, count, dim);
      const program = join(import.meta.dirname, 'index-program.ts');
      const { stdout } = await promisify(execFile)(process.execPath, [program, folder, `${count}`, `${dim}`], {
        cwd: repository,
      });
      figures[`${count}_of_${dim}`] = perItem(JSON.parse(stdout) as IndexFigures, count, dim);
      await rm(folder, { recursive: true });
    }
  }
  return figures;
}

async function store(folder: string, count: number, dim: number): Promise<void> {
  const engine = new BuiltInEngine({ folder });
  const collection = engine.open(looksOfItems(dim));
  let first = 0;
  for (const vectors of layeredVectors(count, dim, PAGE_ROWS)) {
    const from = first;
    await collection.upsert(
      Int32Array.from({ length: vectors.length / dim }, (_, row) => from + row),
      vectors,
    );
    first += vectors.length / dim;
  }
  await collection.flush();
  await engine.close();
}

function perItem(
  { engine_s, clusters_s, cpu_s, peak_bytes, index_bytes, recall }: IndexFigures,
  count: number,
  dim: number,
) {
  return {
    engine_s: round(engine_s),
    clusters_s: round(clusters_s),
    cpu_ms_per_item: round((cpu_s * 1000) / count),
    peak_mib: Math.round(peak_bytes / 2 ** 20),
    peak_bytes_per_item_beside_vectors: Math.round(peak_bytes / count - dim * 4),
    index_bytes_per_item: Math.round(index_bytes / count),
    recall,
  };
}

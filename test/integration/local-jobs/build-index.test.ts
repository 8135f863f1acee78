import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { spawnNodeChild } from '../../../src-main/infra/local-jobs/spawn-node-child.ts';
import { testCompute } from '../../support/compute.ts';
import { indexFiles, indexRequest, storeVectors } from '../../support/index-request.ts';
import { silentLog } from '../../support/silent-log.ts';

const DIM = 8;
const GROUPS = 8;
const COUNT = 400;

/** Unit vectors, each close to one axis. Row r belongs to group r modulo {@link GROUPS}. */
function groupedVectors(): Float32Array {
  const vectors = new Float32Array(COUNT * DIM);
  let state = 42;
  for (let row = 0; row < COUNT; row += 1) {
    const vector = Array.from({ length: DIM }, (_, axis) => {
      state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
      return (axis === row % GROUPS ? 1 : 0) + (state / 2 ** 31) * 0.02;
    });
    const norm = Math.hypot(...vector);
    vectors.set(
      vector.map((value) => value / norm),
      row * DIM,
    );
  }
  return vectors;
}

describe('building an index on a compute process', () => {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-index-'));
  const pool = testCompute({
    size: 1,
    entryFile: join(import.meta.dirname, '../../../src-main/infra/local-jobs/compute.worker.ts'),
    spawn: spawnNodeChild(silentLog),
    log: silentLog,
  });
  const request = indexRequest(folder, {
    dim: DIM,
    count: COUNT,
    linkage_thresholds: [0.99, 0.95, 0.9, 0.8, 0.7],
  });
  beforeAll(() => storeVectors(folder, groupedVectors(), DIM));
  afterAll(async () => {
    await pool.close();
    rmSync(folder, { recursive: true });
  });

  it('reports progress and writes the requested files', async () => {
    const fractions: number[] = [];
    const summary = await pool.buildIndex(request, { onProgress: (fraction) => fractions.push(fraction) });
    expect(summary.n_clusters).toEqual([GROUPS, GROUPS, GROUPS, GROUPS, GROUPS]);
    expect(fractions.at(-1)).toBe(1);
    expect(fractions).toEqual([...fractions].sort((a, b) => a - b));
    for (const file of Object.values(indexFiles(folder, 1))) expect(existsSync(file)).toBe(true);
    expect(pool.status().deaths).toBe(0);
  });

  it('fails without revealing local paths when the vectors are missing', async () => {
    const nowhere = {
      ...request,
      input: { ...request.input, engine: { kind: 'built-in', folder: join(folder, 'nowhere') } },
    };
    const built = pool.buildIndex(nowhere, {});
    await expect(built).rejects.toMatchObject({ code: 'internal', message: 'A compute job failed unexpectedly.' });
  });
});

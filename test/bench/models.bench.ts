import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LocalModel } from '../../src-main/infra/inference/local-models.ts';
import { spawnNodeChild } from '../../src-main/infra/local-jobs/spawn-node-child.ts';
import { localModels, testCompute } from '../support/compute.ts';
import { repository } from '../support/server.ts';
import { sharedModels } from '../support/shared-models.ts';
import { silentLog } from '../support/silent-log.ts';
import { type BareModel, openBareModels } from './bare-models.ts';

/** Number of images per call, as in enrichment, and number of concurrent calls per process. */
const CHUNK = 16;
const CHUNKS_AHEAD = 2;
/** Rounds of product, loop and session in turn, so that other load on the machine affects all alike. */
const ROUNDS = 3;

interface Speeds {
  /** Items per second through the pool: reading, decoding, preparing, the model, and results back in this process. */
  product_items_per_s: number;
  /** Items per second in plain processes that read, decode, prepare and run. */
  loop_items_per_s: number;
  /** Items per second in plain processes that run only the session on prepared inputs. */
  session_items_per_s: number;
  ratio_to_loop: number;
  ratio_to_session: number;
}

/** Measures images per second of each shared model in `applyModels` against bare loops on the same cores and device in the same run. */
export async function measureModels(media: string, models: string): Promise<unknown> {
  const photos = join(media, 'photos/coco/images');
  const files = (await readdir(photos)).filter((name) => name.endsWith('.jpg')).map((name) => join(photos, name));
  const scratch = await mkdtemp(join(tmpdir(), 'vitrine-bench-models-'));
  const { zero_shot: _, ...known } = sharedModels(models, scratch);
  try {
    const speeds: Record<string, Speeds> = {};
    for (const spec of Object.values(known)) speeds[spec.model_id] = await measureModel(spec, files);
    const together = await measurePool(Object.values(known), files);
    return { ...speeds, all_models_from_one_decode: { product_items_per_s: rounded(together) } };
  } finally {
    await rm(scratch, { recursive: true });
  }
}

async function measureModel(spec: LocalModel, files: string[]): Promise<Speeds> {
  const processes = availableParallelism();
  const product: number[] = [];
  const loop: number[] = [];
  const session: number[] = [];
  const pool = openPool();
  let bare: BareModel | undefined;
  try {
    bare = await openBareModels(spec, files, processes);
    await applyAll(pool, [spec], files);
    for (let round = 0; round < ROUNDS; round += 1) {
      product.push(await applyAll(pool, [spec], files));
      loop.push(await bare.run('loop'));
      session.push(await bare.run('session'));
    }
  } finally {
    bare?.close();
    await pool.close();
  }
  const [ofProduct, ofLoop, ofSession] = [median(product), median(loop), median(session)];
  return {
    product_items_per_s: rounded(ofProduct),
    loop_items_per_s: rounded(ofLoop),
    session_items_per_s: rounded(ofSession),
    ratio_to_loop: Math.round((1000 * ofProduct) / ofLoop) / 1000,
    ratio_to_session: Math.round((1000 * ofProduct) / ofSession) / 1000,
  };
}

async function measurePool(specs: LocalModel[], files: string[]): Promise<number> {
  const pool = openPool();
  try {
    await applyAll(pool, specs, files.slice(0, CHUNK));
    return await applyAll(pool, specs, files);
  } finally {
    await pool.close();
  }
}

const openPool = () =>
  testCompute({
    entryFile: join(repository, 'src-main/infra/local-jobs/compute.worker.ts'),
    spawn: spawnNodeChild(silentLog),
    log: silentLog,
    modelDevice: () => 'cpu',
  });

/** @returns Items per second. */
async function applyAll(pool: ReturnType<typeof openPool>, specs: LocalModel[], files: string[]): Promise<number> {
  const startedMs = performance.now();
  const underWay: Promise<unknown>[] = [];
  for (let first = 0; first < files.length; first += CHUNK) {
    const items = files.slice(first, first + CHUNK).map((path, key) => ({ key, path }));
    underWay.push(
      pool.applyModels(
        items,
        specs.map((spec) => localModels.add(spec)),
      ),
    );
    if (underWay.length >= pool.size * CHUNKS_AHEAD) await underWay.shift();
  }
  await Promise.all(underWay);
  return files.length / ((performance.now() - startedMs) / 1000);
}

const median = (values: number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
const rounded = (value: number): number => Math.round(value * 10) / 10;

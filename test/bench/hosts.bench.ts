import { join } from 'node:path';
import packageJson from '../../package.json' with { type: 'json' };
import type { ModelRef } from '../../src-main/core/ports/inference.ts';
import type { LocalJobs } from '../../src-main/core/ports/local-jobs.ts';
import { applyOnHost } from '../../src-main/infra/inference-hosts/host-client.ts';
import { HOST_TIMES } from '../../src-main/infra/inference-hosts/remote-host.ts';
import { createSpreadJobs } from '../../src-main/infra/inference-hosts/spread-jobs.ts';
import { spawnNodeChild } from '../../src-main/infra/local-jobs/spawn-node-child.ts';
import { runCleanUps } from '../support/at-end.ts';
import { testCompute } from '../support/compute.ts';
import { writeImages } from '../support/images.ts';
import { folderWithModels, readModels, SECRET, startHost } from '../support/inference-hosts.ts';
import { silentLog } from '../support/silent-log.ts';
import { WORKERS } from '../support/test-core.ts';
import { median, round, seconds } from './timing.ts';

const IMAGES = 480;
/** Images per call, as in enrichment. */
const CHUNK = 16;
/** Rounds in turn, so that other load on the machine affects all alike. */
const ROUNDS = 3;

/**
 * Measures images per second of a small encoder with one process here, with one host instead of it and with two, and the time that a call of
 * a host takes longer than the same call of this machine's pool. All run on this machine, so two hosts compete for its cores.
 */
export async function measureHosts(folder: string): Promise<unknown> {
  const data = await folderWithModels(['clip']);
  const hosts = [await startHost(data), await startHost(data)];
  const here = { size: 1, entryFile: WORKERS.compute, spawn: spawnNodeChild(silentLog), log: silentLog };
  const local = testCompute({ ...here, modelDevice: () => 'cpu' });
  try {
    const models = await readModels(data, ['clip']);
    const paths = await writeImages(
      join(folder, 'images'),
      Array.from({ length: IMAGES }, (_, seed) => seed + 1),
    );
    const addresses = hosts.map(({ baseUrl }) => baseUrl);
    const pools = {
      local,
      one_host: await hostsOnly(local, addresses.slice(0, 1)),
      two_hosts: await hostsOnly(local, addresses),
    };
    for (const pool of Object.values(pools)) await imagesPerSecond(pool, paths, models);
    const speeds: Record<string, number[]> = { local: [], one_host: [], two_hosts: [] };
    for (let nth = 0; nth < ROUNDS; nth += 1) {
      for (const [name, pool] of Object.entries(pools)) speeds[name]?.push(await imagesPerSecond(pool, paths, models));
    }
    const items = paths.slice(0, CHUNK).map((path, key) => ({ key, path }));
    const access = { address: addresses[0] ?? '', secret: SECRET, version: packageJson.version };
    const never = new AbortController().signal;
    const work = { items, models, boxModels: undefined };
    const hereMs: number[] = [];
    const hostMs: number[] = [];
    for (let nth = 0; nth < 20; nth += 1) {
      hereMs.push(1000 * (await seconds(() => local.applyModels(items, models))));
      hostMs.push(1000 * (await seconds(() => applyOnHost(access, work, never))));
    }
    return {
      images_per_s: Object.fromEntries(Object.entries(speeds).map(([name, of]) => [name, round(median(of))])),
      call_of_16_images_ms: { here: round(median(hereMs)), host: round(median(hostMs)) },
      overhead_per_call_ms: round(median(hostMs) - median(hereMs)),
    };
  } finally {
    await local.close();
    await runCleanUps();
  }
}

/** A pool that gives all calls to the hosts and none to this machine. */
async function hostsOnly(local: LocalJobs, addresses: string[]): Promise<LocalJobs> {
  const idle: LocalJobs = { ...local, size: -1 };
  const spread = createSpreadJobs({
    local: idle,
    hosts: () => ({ addresses, secret: SECRET }),
    version: packageJson.version,
    log: silentLog,
    times: HOST_TIMES,
  });
  await spread.checkHosts();
  return spread.localJobs;
}

async function imagesPerSecond(pool: LocalJobs, paths: string[], models: ModelRef[]): Promise<number> {
  const items = paths.map((path, key) => ({ key, path }));
  const calls = Array.from({ length: IMAGES / CHUNK }, (_, nth) => items.slice(nth * CHUNK, (nth + 1) * CHUNK));
  return IMAGES / (await seconds(() => Promise.all(calls.map((call) => pool.applyModels(call, models)))));
}

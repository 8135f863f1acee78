import { fork } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { getPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { asWritten, message } from '../../../src-main/contract/messages.ts';
import type { SpawnChild } from '../../../src-main/core/ports/child-process.ts';
import type { IndexRequest } from '../../../src-main/core/ports/index-jobs.ts';
import { Claims } from '../../../src-main/infra/giving-way/claims.ts';
import { type ComputeOptions, defaultPoolSize } from '../../../src-main/infra/local-jobs/compute-processes.ts';
import { usableProcessors } from '../../../src-main/infra/local-jobs/process-affinity.ts';
import { spawnNodeChild } from '../../../src-main/infra/local-jobs/spawn-node-child.ts';
import { type TestCompute, testCompute } from '../../support/compute.ts';
import { silentLog } from '../../support/silent-log.ts';
import { commandedEncoder } from './commanded-encoder.ts';

const MISBEHAVING = join(import.meta.dirname, 'crashing.worker.ts');

let folder: string;
let pool: TestCompute;
let spawned: number[];

const journal = () =>
  existsSync(join(folder, 'journal')) ? readFileSync(join(folder, 'journal'), 'utf8').trim().split('\n') : [];
const count = (line: string) => journal().filter((entry) => entry === line || entry.startsWith(`${line} `)).length;
const encoder = (command?: string) => ({ looks: commandedEncoder(join(folder, 'journal'), command) });
const items = (...commands: string[]) => commands.map((path, key) => ({ key, path }));
const fine = (key: number, path = 'ok') => ({ key, ok: false, kind: 'empty', reason: asWritten(path) });
const setAside = (key: number) => ({
  key,
  ok: false,
  kind: 'crashed',
  reason: message('file_stopped_process'),
});
const ENDLESS_HERE = message('model_endless');
const indexRequest = (command: string): IndexRequest => ({
  mode: 'full',
  version: 1,
  count: 1,
  linkage_thresholds: [],
  input: { command, journal: join(folder, 'journal') },
});

const openPool = (options: Partial<ComputeOptions> = {}): TestCompute => {
  const spawn: SpawnChild = (entryFile, name) => {
    const child = spawnNodeChild(silentLog)(entryFile, name);
    if (child.pid !== undefined) spawned.push(child.pid);
    return child;
  };
  pool = testCompute({ size: 1, entryFile: MISBEHAVING, spawn, log: silentLog, ...options });
  return pool;
};

const until = async (condition: () => boolean): Promise<void> => {
  const deadline = performance.now() + 20_000;
  while (!condition()) {
    if (performance.now() > deadline) throw new Error('It did not come to pass within 20 s.');
    await delay(5);
  }
};

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    // A zombie process still has its process id. Linux shows its state.
    const state =
      process.platform === 'linux' ? readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.[0] : undefined;
    return state !== 'Z';
  } catch (error) {
    if (['ESRCH', 'ENOENT'].includes((error as NodeJS.ErrnoException).code ?? '')) return false;
    throw error;
  }
};

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vitrine-compute-'));
  spawned = [];
});

afterEach(async () => {
  await pool.close();
  expect(spawned.filter(isAlive)).toEqual([]);
  rmSync(folder, { recursive: true });
});

describe('compute pool', () => {
  it('starts processes only when needed and answers in order', async () => {
    openPool({ size: 2 });
    expect(spawned).toEqual([]);
    const [first, second] = await Promise.all([
      pool.describeImages(items('ok', 'ok', 'ok', 'ok'), encoder()),
      pool.describeImages(items('ok'), encoder()),
    ]);
    expect(first).toEqual([fine(0), fine(1), fine(2), fine(3)]);
    expect(second).toEqual([fine(0)]);
    expect(pool.status().pids.sort()).toEqual([...spawned].sort());
    expect(spawned).toHaveLength(2);
    expect(await pool.describeImages([], encoder())).toEqual([]);
  });

  it('rests between slices of background work while somebody looks, and proceeds all the same', async () => {
    const claims = new Claims();
    openPool({ claims });
    const pairs = Array.from({ length: 20 }, () => ({ a: 0, b: 1, is_mirrored: false, is_aligned: false }));
    const comparingMs = async () => {
      const began = performance.now();
      await pool.compareImages({ pairs, thumbnails: [] });
      return performance.now() - began;
    };
    await comparingMs();
    const release = claims.claim();
    // A fifth of the time: 20 slices of 5 ms, and four times that.
    expect(await comparingMs()).toBeGreaterThan(5 * 20 * 4);
    release();
    await comparingMs();
  });

  it('draws the same covers once', async () => {
    openPool();
    const thumbnail = { path: 'pack', offset: 0, length: 100, crc32: 1 };
    const drawn = await pool.drawCovers([[thumbnail]], 128);
    expect(await pool.drawCovers([[thumbnail]], 128)).toEqual(drawn);
    expect(await pool.drawCovers([[thumbnail]], 192)).not.toEqual(drawn);
    expect(await pool.drawCovers([[{ ...thumbnail, crc32: 2 }]], 128)).not.toEqual(drawn);
  });

  it('gives way: comparing to indexing, and both to covers that somebody waits for', async () => {
    openPool();
    const nicenessOf = async (work: () => Promise<unknown>) => {
      const others = pool.status().pids;
      await work();
      const pid = pool.status().pids.find((one) => !others.includes(one)) ?? 0;
      // Linux stores niceness per thread.
      const threads = process.platform === 'linux' ? readdirSync(`/proc/${pid}/task`).map(Number) : [pid];
      return [...new Set(threads.map((thread) => getPriority(thread)))];
    };
    const covers = await nicenessOf(() => pool.drawCovers([[]], 128));
    const comparing = await nicenessOf(() => pool.compareImages({ pairs: [], thumbnails: [] }));
    const indexing = await nicenessOf(() => pool.describeImages(items('ok'), encoder()));
    expect(covers).toEqual([getPriority()]);
    expect(indexing).toEqual([Math.max(5, getPriority())]);
    expect(comparing).toEqual([Math.max(8, getPriority())]);
  });

  it('keeps one process for images on each processor, and others where the system wants them', async (context) => {
    const processors = usableProcessors();
    if (processors.length < 2) context.skip('the processors of this machine are fewer than two, or not known');
    const listOf = (pid: number | 'self') =>
      /^Cpus_allowed_list:\s*(\S+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    const processorsOf = async (size: number) => {
      openPool({ size });
      const gate = join(folder, `gate-${size}`);
      const described = Array.from({ length: size }, () => pool.describeImages(items(`wait:${gate}`), encoder()));
      await until(() => pool.status().pids.length === size);
      return { lists: () => pool.status().pids.map(listOf), described, open: () => writeFileSync(gate, '') };
    };
    const each = await processorsOf(processors.length);
    await until(() => each.lists().every((list) => processors.includes(Number(list))));
    expect(each.lists().map(Number).sort()).toEqual([...processors].sort());
    each.open();
    await Promise.all(each.described);
    await pool.close();

    const more = await processorsOf(processors.length + 1);
    more.open();
    await Promise.all(more.described);
    expect(new Set(more.lists())).toEqual(new Set([listOf('self')]));
  });

  it('kill -9 loses nothing and repeats no finished item', async () => {
    openPool();
    const gate = join(folder, 'gate');
    const described = pool.describeImages(items('ok', 'ok', 'ok', 'ok', `wait:${gate}`, 'ok', 'ok', 'ok'), encoder());
    await until(() => count('finish 3') === 1 && count('start 5') === 1);
    const [pid] = pool.status().pids;
    process.kill(pid ?? 0, 'SIGKILL');
    writeFileSync(gate, '');
    const expected = [0, 1, 2, 3, 4, 5, 6, 7].map((key) => fine(key, key === 4 ? `wait:${gate}` : 'ok'));
    expect(await described).toEqual(expected);
    expect(pool.status().deaths).toBe(1);
    expect([0, 1, 2, 3].map((key) => count(`start ${key}`))).toEqual([1, 1, 1, 1]);
    expect([4, 5, 6, 7].map((key) => count(`finish ${key}`))).toEqual([1, 1, 1, 1]);
  });

  it.each(['crash', 'exit'])(
    'an item that ends its process by %s twice is set aside, and its neighbours are processed',
    async (way) => {
      openPool();
      const results = await pool.describeImages(items('ok', 'ok', 'ok', 'ok', way, 'ok', 'ok'), encoder());
      expect(results).toEqual([fine(0), fine(1), fine(2), fine(3), setAside(4), fine(5), fine(6)]);
      expect(count('start 4')).toBe(2);
      expect(pool.status().deaths).toBe(2);
      expect(await pool.describeImages(items('ok'), encoder())).toEqual([fine(0)]);
    },
  );

  it('survives a chunk whose items all end their process, and a single such item', async () => {
    openPool({ size: 2 });
    const [many, one] = await Promise.all([
      pool.describeImages(items('crash', 'exit', 'crash', 'crash'), encoder()),
      pool.describeImages(items('crash'), encoder()),
    ]);
    expect(many).toEqual([setAside(0), setAside(1), setAside(2), setAside(3)]);
    expect(one).toEqual([setAside(0)]);
  });

  it.each(['hang', 'freeze'])('an item that makes its process %s is detected and set aside', async (way) => {
    openPool({ itemTimeoutMs: 1000 });
    const results = await pool.describeImages(items('ok', way, 'ok', 'ok'), encoder());
    expect(results).toEqual([fine(0), setAside(1), fine(2), fine(3)]);
    expect(pool.status().deaths).toBe(2);
  });

  it('abort removes waiting work at once and stops running work between items', async () => {
    openPool();
    const gate = join(folder, 'never');
    const [running, waiting] = [new AbortController(), new AbortController()];
    const first = pool.describeImages(items('ok', `wait:${gate}`, 'ok', 'ok', 'ok'), encoder(), running.signal);
    const second = pool.describeImages(items('ok'), encoder(), waiting.signal);
    await until(() => count('finish 0') === 1);
    waiting.abort();
    await expect(second).rejects.toMatchObject({ name: 'AbortError' });
    running.abort();
    await expect(first).rejects.toMatchObject({ name: 'AbortError' });
    expect(await pool.describeImages([{ key: 9, path: 'ok' }], encoder())).toEqual([fine(9)]);
    expect(count('start 4')).toBe(0);
    expect(spawned).toHaveLength(1);
    expect(pool.status().deaths).toBe(0);
    await expect(pool.describeImages(items('ok'), encoder(), AbortSignal.abort())).rejects.toMatchObject({
      name: 'AbortError',
    });
  });

  it('a process that does not obey an abort is killed', async () => {
    openPool({ stopGraceMs: 50 });
    const controller = new AbortController();
    const stuck = pool.describeImages(items('freeze'), encoder(), controller.signal);
    await until(() => count('start 0') === 1);
    controller.abort();
    await expect(stuck).rejects.toMatchObject({ name: 'AbortError' });
    expect(await pool.describeImages([{ key: 5, path: 'ok' }], encoder())).toEqual([fine(5)]);
    expect(spawned).toHaveLength(2);
    expect(pool.status().deaths).toBe(0);
  });

  it('close rejects running and waiting work, and leaves no process, not even a frozen one', async () => {
    openPool({ size: 2, stopGraceMs: 50 });
    const left = [items('freeze'), items('hang'), items('ok')].map((chunk) => pool.describeImages(chunk, encoder()));
    const settled = Promise.allSettled(left);
    await until(() => count('start 0') === 2);
    await pool.close();
    expect(spawned.filter(isAlive)).toEqual([]);
    expect((await settled).map((result) => result.status === 'rejected' && result.reason.code)).toEqual([
      'unavailable',
      'unavailable',
      'unavailable',
    ]);
    await expect(pool.describeImages(items('ok'), encoder())).rejects.toMatchObject({ code: 'unavailable' });
    expect(pool.status().pids).toEqual([]);
  });

  it('rejects all waiting calls when processes do not start', async () => {
    openPool({ entryFile: join(import.meta.dirname, 'dying.worker.ts') });
    const both = await Promise.allSettled([
      pool.describeImages(items('ok'), encoder()),
      pool.describeImages(items('ok'), encoder()),
    ]);
    for (const result of both) expect(result).toMatchObject({ status: 'rejected', reason: { code: 'unavailable' } });
    expect(spawned).toHaveLength(4);
  });

  it('does not blame files when the process dies before it has any, and reports why a job is refused', async () => {
    openPool();
    await expect(pool.describeImages(items('ok', 'ok'), encoder('die-before-items'))).rejects.toMatchObject({
      code: 'unavailable',
    });
    expect(spawned).toHaveLength(3);
    await expect(pool.describeImages(items('ok'), encoder('refuse'))).rejects.toMatchObject({
      code: 'unavailable',
      message: 'There is no such model.',
    });
  });

  it('replaces a process that has grown too large or old, and stops one without work', async () => {
    openPool({ maxRssBytes: 1 });
    await pool.describeImages(items('ok'), encoder());
    await pool.describeImages(items('ok'), encoder());
    expect(spawned).toHaveLength(2);
    expect(pool.status().deaths).toBe(0);
    await pool.close();
    openPool({ maxJobsPerChild: 2, idleStopMs: 50 });
    spawned = [];
    for (let round = 0; round < 3; round += 1) await pool.describeImages(items('ok'), encoder());
    expect(spawned.length).toBeGreaterThanOrEqual(2);
    await until(() => pool.status().pids.length === 0);
    expect(await pool.describeImages(items('ok'), encoder())).toEqual([fine(0)]);
    expect(pool.status().deaths).toBe(0);
  });

  it('builds an index beside waiting images, restarts it once and then fails it', async () => {
    openPool();
    const gate = join(folder, 'gate');
    const fractions: number[] = [];
    const index = pool.buildIndex(indexRequest(`wait:${gate}`), {
      onProgress: (fraction) => fractions.push(fraction),
    });
    await until(() => fractions.length === 1);
    expect(await pool.describeImages(items('ok'), encoder())).toEqual([fine(0)]);
    const startedBy = Number(journal()[0]?.split(' ')[1]);
    process.kill(startedBy, 'SIGKILL');
    await until(() => fractions.length === 2);
    writeFileSync(gate, '');
    expect(await index).toEqual({ n_clusters: [5, 4, 3, 2, 1], recall_estimate: 1 });
    await expect(pool.buildIndex(indexRequest('crash'), {})).rejects.toMatchObject({ code: 'internal' });
    const controller = new AbortController();
    const aborted = pool.buildIndex(indexRequest(`wait:${gate}-never`), { signal: controller.signal });
    controller.abort();
    await expect(aborted).rejects.toMatchObject({ name: 'AbortError' });
  });

  it('builds a small index in an idle process for images', async () => {
    openPool();
    await pool.describeImages(items('ok'), encoder());
    await pool.buildIndex({ ...indexRequest('ok'), count: 4000 }, {});
    expect(spawned).toHaveLength(1);
    const gate = join(folder, 'gate');
    const reading = pool.describeImages(items(`wait:${gate}`), encoder());
    await until(() => count('start 0') === 2);
    await pool.buildIndex({ ...indexRequest('ok'), count: 4000 }, {});
    expect(spawned).toHaveLength(2);
    writeFileSync(gate, '');
    expect(await reading).toEqual([fine(0, `wait:${gate}`)]);
    await pool.buildIndex({ ...indexRequest('ok'), count: 4001 }, {});
    expect(spawned).toHaveLength(2);
  });

  it('compares few images in a running process for images, after the images that it reads', async () => {
    openPool();
    const gate = join(folder, 'gate');
    const batch = (length: number) => ({
      pairs: Array.from({ length }, () => ({ a: 0, b: 1, is_mirrored: false, is_aligned: false })),
      thumbnails: [],
    });
    const reading = pool.describeImages(items(`wait:${gate}`), encoder());
    await until(() => count('start 0') === 1);
    const comparing = [pool.compareImages(batch(100)), pool.compareImages(batch(100))];
    writeFileSync(gate, '');
    await Promise.all([reading, ...comparing]);
    expect(spawned).toHaveLength(1);
    await pool.compareImages(batch(101));
    expect(spawned).toHaveLength(2);
  });

  it('stops an endless model, instead of trying it on every image', async () => {
    openPool({ modelTimeoutMs: 1000, modelLoadTimeoutMs: 60_000 });
    const { model } = encoder().looks;
    const endless = { code: 'unavailable', message: expect.stringContaining('did not finish') };
    const four = items('freeze-model', 'freeze-model', 'freeze-model', 'freeze-model');
    await expect(pool.applyModels(four, [model])).rejects.toMatchObject(endless);
    expect(pool.status().deaths).toBe(3);
    await expect(pool.describeImages(four, { ...encoder(), meaning: encoder().looks })).rejects.toMatchObject(endless);
    expect(pool.status().deaths).toBe(6);
    const mixed = items('ok', 'freeze-model', 'ok');
    const expected = [fine(0), { ...setAside(1), reason: ENDLESS_HERE }, fine(2)];
    expect(await pool.applyModels(mixed, [model])).toEqual(expected);
    expect(await pool.describeImages(mixed, { ...encoder(), meaning: encoder().looks })).toEqual(expected);
    await expect(pool.tryModel(model)).rejects.toMatchObject(endless);
  });

  it('shares memory for decoded images among all processes, and reclaims that of a dead one', async () => {
    openPool({ size: 2 });
    const gates = ['a', 'b', 'c'].map((name) => join(folder, name));
    const [a = '', b = '', c = ''] = gates;
    const describe = (gate: string) => pool.describeImages(items(`borrow:${gate}`), encoder());
    const pidOf = (gate: string) => Number(readFileSync(`${gate}.pid`, 'utf8'));
    const first = describe(a);
    await until(() => existsSync(`${a}.pid`));
    const second = describe(b);
    await until(() => count('start 0') === 2);
    // Jobs that need none of the shared memory continue.
    await pool.applyModels(items('ok'), [encoder().looks.model]);
    expect(existsSync(`${b}.pid`)).toBe(false);
    writeFileSync(a, '');
    expect(await first).toEqual([fine(0, `borrow:${a}`)]);
    await until(() => existsSync(`${b}.pid`));

    const third = describe(c);
    await until(() => count('start 0') === 3);
    expect(existsSync(`${c}.pid`)).toBe(false);
    process.kill(pidOf(b), 'SIGKILL');
    await until(() => existsSync(`${c}.pid`));
    for (const gate of [b, c]) writeFileSync(gate, '');
    expect(await third).toEqual([fine(0, `borrow:${c}`)]);
    expect(await second).toEqual([fine(0, `borrow:${b}`)]);
  });

  it('waits longer for a loading model than for a running one, but not forever', async () => {
    openPool({ modelTimeoutMs: 400, modelLoadTimeoutMs: 5000 });
    const { model } = encoder('loads-1500-ms').looks;
    expect(await pool.applyModels(items('ok', 'ok'), [model])).toEqual([fine(0), fine(1)]);
    expect(pool.status().deaths).toBe(0);
    await pool.close();
    openPool({ modelTimeoutMs: 400, modelLoadTimeoutMs: 400 });
    await expect(pool.applyModels(items('ok'), [model])).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('stops an index process without a sign of life', async () => {
    openPool({ heartbeatTimeoutMs: 6000 });
    await expect(pool.buildIndex(indexRequest('freeze'), {})).rejects.toMatchObject({ code: 'internal' });
    expect(pool.status().deaths).toBe(2);
  }, 60_000);

  it('gives the memory of idle image processes to a large new index', async () => {
    openPool();
    await pool.describeImages(items('ok'), encoder());
    const [reader = 0] = spawned;
    await pool.buildIndex({ ...indexRequest('ok'), count: 9_999 }, {});
    await pool.buildIndex({ ...indexRequest('ok'), mode: 'extend', count: 10_000 }, {});
    expect(pool.status().pids).toContain(reader);
    await pool.buildIndex({ ...indexRequest('ok'), count: 10_000 }, {});
    await until(() => !isAlive(reader));
    expect(pool.status().deaths).toBe(0);
    expect(await pool.describeImages(items('ok'), encoder())).toEqual([fine(0)]);
  });

  it('speaks to an Electron utility process through its parent port', async () => {
    openPool({ entryFile: join(import.meta.dirname, 'parent-port.worker.ts') });
    expect(await pool.describeImages(items('ok', 'crash', 'ok'), encoder())).toEqual([fine(0), setAside(1), fine(2)]);
  });

  it.each(['ok', 'hang'])('leaves no process behind when its own process is killed (%s)', async (command) => {
    openPool();
    const owner = fork(join(import.meta.dirname, 'pool-owner.ts'), [MISBEHAVING, join(folder, 'journal'), command], {
      execArgv: [],
    });
    await until(() => count('start 0') === 1);
    const childPid = Number(journal()[0]?.split(' ')[2]);
    expect(isAlive(childPid)).toBe(true);
    owner.kill('SIGKILL');
    await until(() => !isAlive(childPid));
  });

  it('sizes itself to the machine', () => {
    expect(defaultPoolSize()).toBeGreaterThanOrEqual(1);
    expect(Number.isInteger(defaultPoolSize())).toBe(true);
  });
});

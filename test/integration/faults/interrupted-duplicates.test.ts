import { readdirSync, readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import type { DuplicateList } from '../../../src-main/contract/schemas/duplicates.ts';
import type { Task } from '../../../src-main/contract/schemas/task.ts';
import type { CandidatePair, ComparisonBatch } from '../../../src-main/core/ports/duplicates.ts';
import { writeCandidates } from '../../../src-main/infra/duplicates/candidate-file.ts';
import type { CandidateInput } from '../../../src-main/infra/duplicates/find-candidates.ts';
import { TrimmedWriter } from '../../../src-main/infra/duplicates/trimmed-file.ts';
import { type Api, until } from '../../support/api.ts';
import { type InProcessCompute, inProcessCompute } from '../../support/in-process-compute.ts';
import { scene } from '../../support/scenes.ts';
import { serve } from '../../support/serve.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { openData } from '../../support/test-api.ts';
import { createTestCore, type TestCore } from '../../support/test-core.ts';
import { tinyPng } from '../../support/tiny-png.ts';

/** Number of images. All pairs are candidates, which makes several pages of pairs. */
const IMAGES = 40;
const PAIRS = (IMAGES * (IMAGES - 1)) / 2;
const PAIRS_OF_A_PAGE = 128;

/** Treats all pairs as candidates and images as duplicates if their rows are equal modulo 8. Records the compared pairs. */
interface CountingCompute extends InProcessCompute {
  requested: string[];
  /** Number of pages that are compared before further pages block until they are aborted. */
  free: number;
  /** Resolves when a page blocks. */
  holding: Promise<void>;
}

function countingCompute(free = Number.POSITIVE_INFINITY): CountingCompute {
  let begun: () => void = () => undefined;
  const compute: CountingCompute = {
    ...inProcessCompute(),
    requested: [],
    free,
    holding: new Promise((resolve) => {
      begun = resolve;
    }),
    findCandidates: async ({ input }) => {
      const { candidates_file, trimmed_file, vectors, index, from_row } = input as CandidateInput;
      const pairs: CandidatePair[] = [];
      for (let b = from_row; b < index.count; b += 1) {
        for (let a = 0; a < b; a += 1) pairs.push({ a, b, is_mirrored: false, is_aligned: false });
      }
      const trimmed = new TrimmedWriter(trimmed_file, vectors.dim);
      trimmed.finish();
      trimmed.close();
      writeCandidates(candidates_file, pairs);
    },
    compareImages: ({ pairs }: ComparisonBatch, signal) => {
      compute.free -= 1;
      if (compute.free >= 0) {
        compute.requested.push(...pairs.map(({ a, b }) => `${a} ${b}`));
        return Promise.resolve(pairs.map(({ a, b }) => (a % 8 === b % 8 ? 0.9 : 0)));
      }
      return new Promise((_resolve, reject) => {
        begun();
        signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
      });
    },
  };
  return compute;
}

async function images(count: number, firstSeed = 0): Promise<string> {
  const folder = await temporaryFolder();
  for (let at = 0; at < count; at += 1) await writeFile(join(folder, `${firstSeed + at}.png`), tinyPng(firstSeed + at));
  return folder;
}

async function ready(core: TestCore, folder: string): Promise<string> {
  const { dataset_id } = await core.call('process_path', { path: folder, name: 'd' });
  await until(
    async () => (await core.call('get_dataset', { dataset_id })).status_new,
    (status) => status === 'READY',
  );
  return dataset_id;
}

async function comparisons(core: TestCore, id: string): Promise<Task[]> {
  return (await core.call('list_tasks', { dataset_id: id, task_type: 'DUPLICATE_DETECTION' })).tasks;
}

/** Waits until a page blocks after `saved` pages were saved. */
async function held(core: TestCore, compute: CountingCompute, id: string, saved: number): Promise<void> {
  await compute.holding;
  await until(
    () => comparisons(core, id),
    (tasks) => tasks.some(({ done }) => done === saved * PAIRS_OF_A_PAGE),
  );
}

async function ended(core: TestCore, id: string): Promise<Task[]> {
  return until(
    () => comparisons(core, id),
    (tasks) => tasks.length > 0 && tasks.every(({ end_time }) => end_time !== null),
  );
}

async function groups(core: TestCore, id: string): Promise<string[][]> {
  const { groups: found } = await core.call('list_duplicates', {
    dataset_id: id,
    duplicate_threshold: '0.8',
    page_size: '100',
  });
  return found.map(({ items }) => items.map(({ file_path }) => file_path).sort()).sort();
}

describe('the comparison of images', () => {
  it('resumes after a quit without comparing saved pages again', async () => {
    const folder = await images(IMAGES);
    const undisturbed = await createTestCore({ compute: countingCompute() });
    const whole = await ready(undisturbed, folder);
    await ended(undisturbed, whole);
    const expected = await groups(undisturbed, whole);
    expect(expected).toHaveLength(8);

    let compute = countingCompute(1);
    let core = await createTestCore({ compute });
    const { data } = core;
    const requested: string[] = [];
    const id = await ready(core, folder);
    // The duplicates found so far are available.
    await held(core, compute, id, 1);
    expect((await core.call('list_duplicates', { dataset_id: id, duplicate_threshold: '0.8' })).total_groups).toBe(8);
    for (let quit = 0; quit < 3; quit += 1) {
      await held(core, compute, id, quit + 1);
      await core.close();
      requested.push(...compute.requested);
      compute = countingCompute(quit < 2 ? 1 : Number.POSITIVE_INFINITY);
      core = await createTestCore({ data, compute });
    }
    expect((await ended(core, id)).map(({ status }) => status)).toEqual(['COMPLETED']);
    requested.push(...compute.requested);
    expect(requested).toHaveLength(PAIRS);
    expect(new Set(requested).size).toBe(PAIRS);
    expect(await groups(core, id)).toEqual(expected);
  });

  it('can be aborted, which leaves the dataset unchanged, and retried', async () => {
    const compute = countingCompute(2);
    const core = await createTestCore({ compute });
    const id = await ready(core, await images(IMAGES));
    await held(core, compute, id, 2);
    const [task] = await comparisons(core, id);
    expect(await core.call('abort_task', { task_id: task?.task_id ?? '' })).toMatchObject({ status: 'ABORTED' });
    expect((await core.call('get_dataset', { dataset_id: id })).status_new).toBe('READY');
    compute.free = Number.POSITIVE_INFINITY;
    await core.call('retry_task', { task_id: task?.task_id ?? '' });
    const left = PAIRS - 2 * PAIRS_OF_A_PAGE;
    expect(await ended(core, id)).toMatchObject([
      { status: 'COMPLETED', status_message: `Compared ${left} pairs of similar images` },
    ]);
    expect(await groups(core, id)).toHaveLength(8);
  });

  it('includes items that are added while it runs', async () => {
    const compute = countingCompute(1);
    const core = await createTestCore({ compute });
    const id = await ready(core, await images(IMAGES));
    await held(core, compute, id, 1);
    await core.call('add_media', { dataset_id: id, s3_uri: await images(8, 100) });
    await until(
      async () => (await core.call('get_dataset', { dataset_id: id })).status_new,
      (status) => status === 'PARTIAL INDEX',
    );
    // The blocked run is aborted, as by a user, and continues beside the run that the addition has queued.
    const first = (await comparisons(core, id)).find(({ status }) => status === 'RUNNING');
    compute.free = Number.POSITIVE_INFINITY;
    await core.call('abort_task', { task_id: first?.task_id ?? '' });
    await core.call('retry_task', { task_id: first?.task_id ?? '' });
    expect((await ended(core, id)).map(({ status }) => status)).toEqual(['COMPLETED', 'COMPLETED']);
    const all = IMAGES + 8;
    expect([...compute.requested].sort()).toEqual([...new Set(compute.requested)].sort());
    expect(compute.requested).toHaveLength((all * (all - 1)) / 2);
    expect((await groups(core, id)).flat()).toHaveLength(all);
    expect(await core.call('list_duplicates', { dataset_id: id })).toMatchObject({
      compared_items: all,
      indexed_items: all,
    });
  });

  it('ends when its dataset is deleted, and the next one is compared', async () => {
    const compute = countingCompute(1);
    const core = await createTestCore({ compute });
    const id = await ready(core, await images(IMAGES));
    await compute.holding;
    compute.free = Number.POSITIVE_INFINITY;
    await core.call('delete_dataset', { dataset_id: id });
    await expect.poll(() => readdirSync(join(core.data, 'datasets'))).toEqual([]);
    const next = await ready(core, await images(IMAGES, 200));
    expect((await ended(core, next)).map(({ status }) => status)).toEqual(['COMPLETED']);
    expect(await groups(core, next)).toHaveLength(8);
  });
});

/** Number of scenes. The pairs of their edits make more than one page. */
const SCENES = 10;
/** Time limit in milliseconds, for a machine that is busy with other tests. */
const LIMIT_MS = 240_000;

/** Writes scenes and edited copies of them. */
async function writeEdits(folder: string): Promise<void> {
  for (let seed = 1; seed <= SCENES; seed += 1) {
    const original = await scene(seed);
    const edits = {
      original: sharp(original),
      small: sharp(original).resize(320),
      bright: sharp(original).modulate({ brightness: 1.3 }),
      dark: sharp(original).linear(0.7, 0),
      blurred: sharp(original).blur(1.5),
      cropped: sharp(original).extract({ left: 40, top: 30, width: 540, height: 400 }),
      turned: sharp(original).rotate(3),
      mirrored: sharp(original).flop(),
    };
    await mkdir(folder, { recursive: true });
    for (const [edit, image] of Object.entries(edits)) await image.jpeg().toFile(join(folder, `${seed}-${edit}.jpg`));
  }
}

/** Returns a generation's unfinished comparison and its progress, read while no server has it open. */
function waitingIn(data: string, id: string): { file: string; done: number } | undefined {
  const db = new Database(join(data, 'datasets', id, '1', 'data.db'), { readonly: true });
  const text = db.prepare<[], string>(`SELECT value FROM meta WHERE key = 'duplicates'`).pluck().get() ?? '{}';
  db.close();
  return (JSON.parse(text) as { waiting?: { file: string; done: number } }).waiting;
}

describe('kill -9 during a comparison', () => {
  it(
    'loses no saved result and finds the same groups',
    async () => {
      const data = await temporaryFolder();
      const folder = await temporaryFolder();
      await writeEdits(folder);
      const tasksOf = async (api: Api, id: string) =>
        (await api.get<{ tasks: Task[] }>(`/tasks?dataset_id=${id}&task_type=DUPLICATE_DETECTION`)).body.tasks;
      const compared = async (api: Api, id: string) => {
        await api.waitFor(id, 'READY');
        await until(
          () => tasksOf(api, id),
          (tasks) => tasks.length > 0 && tasks.every(({ status }) => status === 'COMPLETED'),
          LIMIT_MS,
        );
        const { body } = await api.get<DuplicateList>(
          `/explore/${id}/duplicates?duplicate_threshold=0.8&page_size=100`,
        );
        return body.groups
          .map(({ items }) => items.map(({ file_path, confidence }) => [file_path, confidence] as const).sort())
          .sort();
      };

      const first = await serve(data);
      const id = await first.api.createFromFolder('killed', folder);
      await first.api.waitFor(id, 'READY');
      await until(
        () => tasksOf(first.api, id),
        ([task]) => task?.step === 'Comparing similar images' && task.done > 0,
      );
      await first.server.stop('SIGKILL');
      const waiting = waitingIn(data, id);
      const candidates = readFileSync(join(data, 'datasets', id, '1', 'index', waiting?.file ?? ''));
      const total = (candidates.length - 4) / 12;
      expect(waiting?.done).toBeGreaterThan(0);
      expect(waiting?.done).toBeLessThan(total);

      const { api } = await openData(data);
      const found = await compared(api, id);
      const [task] = await tasksOf(api, id);
      expect(task?.status_message).toBe(`Compared ${total - (waiting?.done ?? 0)} pairs of similar images`);
      expect(found).toHaveLength(SCENES);
      expect(found.every((group) => group.length > 4)).toBe(true);
      const undisturbed = await api.createFromFolder('undisturbed', folder);
      expect(await compared(api, undisturbed)).toEqual(found);
    },
    LIMIT_MS,
  );
});

import { randomUUID } from 'node:crypto';
import { afterEach, beforeAll, expect, it } from 'vitest';
import type { DatasetStatus } from '../../../src-main/contract/schemas/dataset.ts';
import type { Preview } from '../../../src-main/contract/schemas/explore.ts';
import type { Snapshot } from '../../../src-main/contract/schemas/snapshot.ts';
import type { TaskType } from '../../../src-main/contract/schemas/task.ts';
import type { DatasetSource } from '../../../src-main/contract/schemas/watched-folder.ts';
import { type BlockableOperation, blockingTask } from '../../../src-main/core/tasks/conflicts.ts';
import type { LockMode } from '../../../src-main/core/tasks/task-row.ts';
import { type Answer, type Api, json } from '../../support/api.ts';
import { atEnd } from '../../support/at-end.ts';
import { writeImages } from '../../support/images.ts';
import { type InProcessCompute, inProcessCompute } from '../../support/in-process-compute.ts';
import { writeResults } from '../../support/results.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { startTestApi } from '../../support/test-api.ts';
import { importTinyModels } from '../../support/tiny-models/import-tiny-models.ts';

/*
 * Tests the table of conflicts with the real engine: every operation while every other one is running, and all operations at the same
 * instant.
 */

interface Asked {
  request(id: string): Promise<Answer>;
  /** The operation's task and how it locks the dataset; undefined if the operation has finished when it responds. */
  holds?: { task_type: TaskType; mode: LockMode };
  /** Statuses of the dataset in which the operation can start; any status if undefined. */
  from?: readonly DatasetStatus[];
}

let api: Api;
let images: string;
let more: string;
/** Whether jobs of the compute processes are blocked. */
let hold: { closed: boolean; opened: Promise<void>; open(): void };

function close(): void {
  const { promise, resolve } = Promise.withResolvers<void>();
  hold = { closed: true, opened: promise, open: resolve };
}

/** A compute port that starts no jobs while it is blocked. Aborted jobs do not wait. */
function heldCompute(): InProcessCompute {
  const compute = inProcessCompute();
  const opened = async (signal: AbortSignal | undefined) => {
    const aborted = new Promise<never>((_resolve, reject) => {
      signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
    });
    await Promise.race([hold.opened, aborted]);
  };
  return {
    ...compute,
    describeImages: async (items, encoders, signal) => {
      await opened(signal);
      return compute.describeImages(items, encoders, signal);
    },
    applyModels: async (items, models, signal, boxModels) => {
      await opened(signal);
      return compute.applyModels(items, models, signal, boxModels);
    },
    buildIndex: async (request, options) => {
      await opened(options.signal);
      return compute.buildIndex(request, options);
    },
    tryModel: () => Promise.resolve(),
  };
}

beforeAll(async () => {
  close();
  hold.open();
  ({ api } = await startTestApi({ finished: atEnd, compute: heldCompute() }));
  await importTinyModels(api, ['clip'], atEnd);
  images = await temporaryFolder(atEnd);
  await writeImages(images, [1, 2, 3]);
  more = await temporaryFolder(atEnd);
  await writeImages(more, [4]);
});

async function oldestSnapshot(id: string): Promise<string | undefined> {
  return (await api.get<Snapshot[]>(`/dataset/${id}/snapshot`)).body.at(-1)?.snapshot_id;
}

afterEach(() => hold.open());

const settled = ['READY', 'PARTIAL INDEX'] as const;

const OPERATIONS: Record<Exclude<BlockableOperation, 'process_files'>, Asked> = {
  add_media: {
    request: (id) => api.post(`/dataset/${id}/add_media`, { s3_uri: more }),
    holds: { task_type: 'MEDIA_ADDITION', mode: 'exclusive' },
    from: settled,
  },
  reindex: {
    request: (id) => api.post(`/dataset/${id}/reindex`),
    holds: { task_type: 'REINDEX', mode: 'exclusive' },
    from: ['PARTIAL INDEX'],
  },
  add_meaning: {
    request: (id) => api.call('POST', `/dataset/${id}/meaning`, json({})),
    holds: { task_type: 'MEANING_ADDITION', mode: 'exclusive' },
    from: settled,
  },
  import_results: {
    request: async (id) => api.call('POST', `/dataset/${id}/results`, json({ location: await resultsFor(id) })),
    holds: { task_type: 'RESULT_IMPORT', mode: 'exclusive' },
    from: settled,
  },
  enrich_dataset: {
    request: (id) =>
      api.call(
        'POST',
        `/dataset/${id}/enrich_dataset`,
        json({ enrichment_models: { MULTIMODEL_IMAGE_ENCODING: 'clip' } }),
      ),
    holds: { task_type: 'ENRICHMENT', mode: 'shared' },
    from: ['READY'],
  },
  move_source: {
    request: async (id) => {
      const { body } = await api.get<{ sources: DatasetSource[] }>(`/dataset/${id}/sources`);
      return api.call('POST', `/dataset/${id}/sources/${body.sources[0]?.source_id}/move`, json({ path: images }));
    },
  },
  edit: {
    request: async (id) => {
      const { body } = await api.get<{ items: Preview[] }>(`/explore/${id}/items?entity_type=IMAGES&sort_by=name`);
      const selection = [{ type: 'media', payload: { media_ids: [body.items[0]?.media_id] } }];
      return api.call('POST', `/dataset/${id}/edit_labels`, json({ media_selection: selection, add: ['seen'] }));
    },
  },
  import_metadata: {
    request: async (id) => {
      const path = `/datasets/${id}/custom_metadata/tasks`;
      const field = { field_name: randomUUID(), field_type: 'string' };
      const declared = await api.call('POST', path, json(field));
      return succeeded(declared) ? api.call('POST', `${path}/${declared.body.task_id}`, json([])) : declared;
    },
  },
  create_snapshot: { request: (id) => api.call('POST', `/dataset/${id}/snapshot`, json({})), from: ['READY'] },
  restore_snapshot: {
    request: async (id) => api.call('POST', `/dataset/${id}/snapshot/${await oldestSnapshot(id)}/restore`, json({})),
  },
  delete_snapshot: {
    request: async (id) => api.call('DELETE', `/dataset/${id}/snapshot/${await oldestSnapshot(id)}`),
  },
  lay_out_map: { request: (id) => api.post(`/dataset/${id}/lay_out_map`) },
  find_duplicates: { request: (id) => api.post(`/dataset/${id}/find_duplicates`) },
  place_vectors: {
    request: (id) => api.call('POST', `/dataset/${id}/vector_placement`, json({ placement: 'built-in' })),
  },
  delete_dataset: { request: (id) => api.call('DELETE', `/dataset/${id}`) },
};

/** Embeddings of the first item of a dataset. */
async function resultsFor(id: string): Promise<string> {
  const { body } = await api.get<{ items: Preview[] }>(`/explore/${id}/items?entity_type=IMAGES&sort_by=name`);
  const rows = body.items.slice(0, 1).map(({ media_id }) => ({ media_id, embedding: [1, 2, 3] }));
  const folder = await temporaryFolder();
  await writeResults(folder, { kind: 'embeddings', parts: [rows] });
  return folder;
}

type Operation = keyof typeof OPERATIONS;
const all = Object.keys(OPERATIONS) as Operation[];
const long = all.filter((operation) => OPERATIONS[operation].holds !== undefined);

const succeeded = ({ status }: Answer) => status === 200 || status === 202;

/** Returns a dataset without tasks, in a status in which an operation can start. */
async function datasetFor({ from = ['READY'] }: Asked): Promise<string> {
  const id = await api.createFromFolder('blocked', images, { encoder: 'none' });
  await api.waitFor(id, 'READY');
  // The snapshot of the current state cannot be deleted, but the previous one can.
  await OPERATIONS.edit.request(id);
  await OPERATIONS.create_snapshot.request(id);
  if (!from.includes('READY')) {
    await api.post(`/dataset/${id}/add_media`, { s3_uri: more });
    await api.waitFor(id, 'PARTIAL INDEX');
  }
  await api.atRest();
  return id;
}

it.each(long)('while %s runs, only compatible tasks start', async (running) => {
  const { holds, request } = OPERATIONS[running];
  if (!holds) throw new Error('it is over when it answers');
  const id = await datasetFor(OPERATIONS[running]);
  close();
  expect(succeeded(await request(id))).toBe(true);
  for (const operation of all) {
    const { from, request: ask } = OPERATIONS[operation];
    const { body } = await api.get<{ status_new: DatasetStatus }>(`/dataset/${id}`);
    const begins = blockingTask(operation, [holds]) === undefined && (from?.includes(body.status_new) ?? true);
    const answer = await ask(id);
    if (begins) expect(succeeded(answer), `${operation}: ${answer.text}`).toBe(true);
    else expect(answer, operation).toMatchObject({ status: 409, body: { detail: expect.any(String) } });
  }
  hold.open();
  await api.atRest();
});

it.each(long)('of %s and all others at the same time, each twice, one starts', async (first) => {
  const id = await datasetFor(OPERATIONS[first]);
  close();
  const order = [first, ...long.filter((other) => other !== first)];
  const answers = await Promise.all([...order, ...order].map((operation) => OPERATIONS[operation].request(id)));
  expect(answers.filter(succeeded), answers.map(({ text }) => text).join()).toHaveLength(1);
  expect(answers.filter(({ status }) => status === 409)).toHaveLength(answers.length - 1);
  hold.open();
  await api.atRest();
  expect(['READY', 'PARTIAL INDEX']).toContain((await api.get(`/dataset/${id}`)).body.status_new);
});

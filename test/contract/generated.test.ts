import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { type OperationId, operations } from '../../src-main/contract/contract.ts';
import type { Dataset } from '../../src-main/contract/schemas/dataset.ts';
import { type Api, until } from '../support/api.ts';
import { atEnd } from '../support/at-end.ts';
import { writeImages } from '../support/images.ts';
import { requestsOf } from '../support/request-arbitrary.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { startTestApi } from '../support/test-api.ts';

/*
 * For any request to any dataset, the response must match its operation's declaration or the common error shape, and must never be a 500.
 * `Api` validates every response against the contract. Operations that only read run before those that change data.
 */
const STATES: readonly Dataset['status_new'][] = ['DRAFT', 'INDEXING', 'READ ONLY', 'PARTIAL INDEX', 'READY', 'ERROR'];
const RUNS = 8;
const UNKNOWN = '00000000-0000-4000-8000-000000000000';
const NOWHERE = [
  '',
  ' ',
  '/nowhere/at all',
  '../up',
  './here',
  'file:///nowhere',
  'file://host/%zz',
  's3://',
  's3://a..b/c',
  '\u0000',
];

let api: Api;
const datasets = new Map<Dataset['status_new'], string>();
const known: Record<string, string[]> = {};

beforeAll(async () => {
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const test = await startTestApi({ finished: atEnd });
  test.compute.beforeImage = (path, signal) => {
    if (!path.includes('held')) return undefined;
    const stopped = new Promise<void>((_resolve, reject) => {
      signal?.addEventListener('abort', () => reject(signal.reason));
    });
    return Promise.race([held, stopped]);
  };
  api = test.api;
  atEnd(release);

  const folder = await temporaryFolder(atEnd);
  await writeImages(folder, [1, 2, 3]);
  const more = await temporaryFolder(atEnd);
  await writeImages(more, [4]);
  const heldFolder = join(await temporaryFolder(atEnd), 'held');
  await writeImages(heldFolder, [5]);
  const broken = await temporaryFolder(atEnd);
  await writeFile(join(broken, 'empty.jpg'), '');

  const readyOf = async (name: string) => {
    const id = await api.createFromFolder(name, folder);
    await api.waitFor(id, 'READY');
    return id;
  };
  datasets.set('READY', await readyOf('ready'));
  datasets.set('PARTIAL INDEX', await readyOf('partial'));
  await api.post(`/dataset/${datasets.get('PARTIAL INDEX')}/add_media`, { s3_uri: more });
  await api.waitFor(datasets.get('PARTIAL INDEX') ?? '', 'PARTIAL INDEX');
  datasets.set('ERROR', await api.createFromFolder('error', broken));
  await until(
    () => api.get<Dataset>(`/dataset/${datasets.get('ERROR')}`),
    ({ body }) => body.status_new === 'ERROR',
  );
  datasets.set('READ ONLY', await readyOf('read only'));
  await api.post(`/dataset/${datasets.get('READ ONLY')}/add_media`, { s3_uri: heldFolder });
  datasets.set('INDEXING', await api.createFromFolder('indexing', heldFolder));
  const { body: draft } = await api.get<{ dataset_id: string }>('/ingestion/new_dataset?dataset_name=draft');
  datasets.set('DRAFT', draft.dataset_id);

  const { body: explored } = await api.get<{ clusters: { cluster_id: string; previews: { media_id: string }[] }[] }>(
    `/explore/${datasets.get('READY')}`,
  );
  const mediaIds = explored.clusters.flatMap(({ previews }) => previews.map(({ media_id }) => media_id));
  for (const name of ['bucket_path', 's3_uri', 'path']) known[name] = NOWHERE;
  // Backups create the folder that they are given.
  known.folder = [...NOWHERE.filter((place) => !place.startsWith('/')), test.data, folder];
  for (const name of ['media_id', 'image_id', 'anchor_media_id']) known[name] = [...mediaIds, UNKNOWN, 'no id'];
  known.cluster_id = [...explored.clusters.map(({ cluster_id }) => cluster_id), UNKNOWN, 'no id'];
  known.transaction_id = ['1', '0', 'x'];
  known.package_id = ['none', '..', ''];
  known.model_id = ['none', 'yolox-nano', ''];
});

function isReading(id: OperationId): boolean {
  return operations[id].method === 'GET' && !/^(process|new_dataset|open_transaction)/.test(id);
}

/** Draws and indexes 77 images for each valid request; 4.2-datasets.test.ts has its requests. */
const DRAWS: OperationId = 'create_sample_dataset';

const ids = (Object.keys(operations) as OperationId[])
  .filter((id) => operations[id].reply !== 'stream' && id !== DRAWS)
  .sort(
    (a, b) =>
      Number(isReading(b)) - Number(isReading(a)) || Number(a === 'delete_dataset') - Number(b === 'delete_dataset'),
  );

describe.each(STATES)('a dataset that is %s', (state) => {
  it.each(ids)('%s answers as declared', async (id) => {
    const operation = operations[id];
    const datasetId = datasets.get(state) ?? '';
    if (isReading(id)) expect((await api.get<Dataset>(`/dataset/${datasetId}`)).body.status_new).toBe(state);
    const { body } = await api.get<{ tasks: { task_id: string }[] }>(`/tasks?dataset_id=${datasetId}`);
    const requests = requestsOf(operation, {
      ...known,
      task_id: [...body.tasks.map(({ task_id }) => task_id), UNKNOWN, 'no id'],
      dataset_id: [datasetId, datasetId, datasetId, UNKNOWN, 'no id'],
    });
    await fc.assert(
      fc.asyncProperty(requests, async ({ path, init }) => {
        expect((await api.call(operation.method, path, init)).status).not.toBe(500);
      }),
      { numRuns: RUNS, seed: 9, endOnFailure: true },
    );
  });
});

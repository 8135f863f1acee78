import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp, { type Sharp } from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Dataset } from '../../src-main/contract/schemas/dataset.ts';
import type { DuplicateList } from '../../src-main/contract/schemas/duplicates.ts';
import type { ClusterPage, ExploreResult } from '../../src-main/contract/schemas/explore.ts';
import type { Task } from '../../src-main/contract/schemas/task.ts';
import { type Api, json, until } from '../support/api.ts';
import { atEnd } from '../support/at-end.ts';
import { scene } from '../support/scenes.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { openData } from '../support/test-api.ts';

const WIDTH = 640;
const HEIGHT = 480;

let api: Api;
let dataset: string;
let folder: string;

beforeAll(async () => {
  ({ api } = await openData(await temporaryFolder(atEnd), { finished: atEnd }));
  folder = await temporaryFolder(atEnd);
  for (let seed = 1; seed <= 9; seed += 1) await put(`scene-${seed}.png`, scene(seed));
  await put(
    'near/small.jpg',
    sharp(await scene(1))
      .resize(320)
      .jpeg({ quality: 40 }),
  );
  await put('near/bright.jpg', sharp(await scene(1)).modulate({ brightness: 1.3 }));
  await put('near/cropped.jpg', sharp(await scene(2)).extract({ left: 60, top: 50, width: 500, height: 380 }));
  await put('near/mirrored.jpg', sharp(await scene(3)).flop());
  await put('near/turned.jpg', sharp(await scene(4)).rotate(90));
  await put('near/boxed.jpg', sharp(await scene(5)).extend({ top: 120, bottom: 120, background: 'black' }));
  // The same image in two frames. The image without a frame does not exist.
  await put('near/wide.jpg', sharp(await scene(10)).extend({ left: 120, right: 120, background: 'white' }));
  await put('near/tall.jpg', sharp(await scene(10)).extend({ top: 110, bottom: 110, background: 'black' }));
  await mkdir(join(folder, 'same'));
  await copyFile(join(folder, 'scene-6.png'), join(folder, 'same', 'copy.png'));
  dataset = await api.createFromFolder('with copies', folder);
  await api.waitFor(dataset, 'READY');
  await compared();
}, 180_000);

async function put(path: string, made: Sharp | Promise<Buffer>): Promise<void> {
  const target = join(folder, path);
  await mkdir(join(target, '..'), { recursive: true });
  await writeFile(
    target,
    made instanceof Promise ? await made : await made.toFormat(path.endsWith('png') ? 'png' : 'jpeg').toBuffer(),
  );
}

function list(query = ''): Promise<{ status: number; body: DuplicateList }> {
  return api.get<DuplicateList>(`/explore/${dataset}/duplicates?${query}`);
}

async function compared(): Promise<void> {
  await until(
    async () => (await list()).body,
    ({ compared_items, indexed_items }) => compared_items === indexed_items && indexed_items > 0,
  );
}

/** Paths of each group, groups and paths sorted. */
async function groups(query = ''): Promise<string[][]> {
  const { body } = await list(query);
  return body.groups.map(({ items }) => items.map(({ file_path }) => file_path).sort()).sort();
}

const ALL = [
  ['near/boxed.jpg', 'scene-5.png'],
  ['near/bright.jpg', 'near/small.jpg', 'scene-1.png'],
  ['near/cropped.jpg', 'scene-2.png'],
  ['near/mirrored.jpg', 'scene-3.png'],
  ['near/tall.jpg', 'near/wide.jpg'],
  ['near/turned.jpg', 'scene-4.png'],
  ['same/copy.png', 'scene-6.png'],
];

describe('duplicates', () => {
  it('are copies, edits, crops, and rotated, mirrored or bordered images of the same picture, and nothing else', async () => {
    expect(await groups('duplicate_threshold=0.8')).toEqual(ALL);
  });

  it('of confidence 1 have equal bytes', async () => {
    expect(await groups('duplicate_threshold=1')).toEqual([['same/copy.png', 'scene-6.png']]);
  });

  it('name the copy to keep, and why', async () => {
    const { body } = await list('duplicate_threshold=0.8');
    const kept = new Map(
      body.groups.map(({ items, keep_media_id, keep_reason, n_items }) => {
        expect(items[0]?.media_id).toBe(keep_media_id);
        expect(items).toHaveLength(n_items);
        return [items[0]?.file_path, keep_reason];
      }),
    );
    expect(kept.get('scene-2.png')).toBe('resolution');
    expect(kept.get('scene-3.png')).toBe('format');
    expect(kept.get('scene-5.png')).toBe('border');
    expect([...kept.keys()]).toContain('scene-1.png');
  });

  it('are clusters of Explore by duplicate_threshold and by VQL, whose members can be read', async () => {
    const vql = encodeURIComponent(JSON.stringify([{ duplicates: { op: 'duplicates', value: 0.8 } }]));
    const { body } = await api.get<ExploreResult>(`/explore/${dataset}?entity_type=IMAGES&vql=${vql}`);
    expect(body.metadata).toMatchObject({ total_clusters: ALL.length, total_items: ALL.flat().length });
    expect(body.clusters.map(({ formed_by, similarity_threshold }) => [formed_by, similarity_threshold])).toEqual(
      ALL.map(() => ['DUPLICATES', '0.8']),
    );
    const [largest] = body.clusters;
    const page = await api.get<ClusterPage>(`/explore/${dataset}/cluster/${largest?.cluster_id}?vql=${vql}`);
    expect(page.body).toMatchObject({ total: 3, cluster: { cluster_id: largest?.cluster_id, n_images: 3 } });
    expect(page.body.items[0]?.file_name).toBe('scene-1.png');
    const exact = await api.get<ExploreResult>(`/explore/${dataset}?entity_type=IMAGES&duplicate_threshold=1.0`);
    expect(exact.body.metadata).toMatchObject({ total_clusters: 1, total_items: 2 });
  });

  it('with equal bytes are not unique at all', async () => {
    const { body } = await list('duplicate_threshold=1');
    for (const { media_id } of body.groups[0]?.items ?? []) {
      expect((await api.get(`/image/${media_id}`)).body).toMatchObject({ uniqueness_score: 0 });
    }
  });

  it('are narrowed by other filters', async () => {
    const vql = encodeURIComponent(JSON.stringify([{ folders: { op: 'one_of', value: ['near'] } }]));
    expect(await groups(`duplicate_threshold=0.8&vql=${vql}`)).toEqual([
      ['near/boxed.jpg'],
      ['near/bright.jpg', 'near/small.jpg'],
      ['near/cropped.jpg'],
      ['near/mirrored.jpg'],
      ['near/tall.jpg', 'near/wide.jpg'],
      ['near/turned.jpg'],
    ]);
  });

  it('disappear when all but one are excluded, and return when that is undone', async () => {
    const { body } = await list('duplicate_threshold=1');
    const [group] = body.groups;
    const selection = [
      {
        type: 'cluster',
        payload: {
          cluster_id: group?.cluster_id,
          cluster_filters: { entity_type: 'IMAGES', duplicate_threshold: 1 },
          exclude_media_ids: [group?.keep_media_id],
        },
      },
    ];
    const excluded = await api.call('POST', `/dataset/${dataset}/exclude`, json({ media_selection: selection }));
    expect(excluded).toMatchObject({ status: 200, body: { n_changed: 1 } });
    expect(await groups('duplicate_threshold=1')).toEqual([]);
    expect((await api.post(`/dataset/${dataset}/undo_edit`)).status).toBe(200);
    expect(await groups('duplicate_threshold=1')).toHaveLength(1);
  });

  it('are found between new and existing items', async () => {
    await put(
      'later/again.jpg',
      sharp(await scene(7))
        .resize(WIDTH / 2, HEIGHT / 2)
        .flip(),
    );
    await copyFile(join(folder, 'near', 'small.jpg'), join(folder, 'later', 'same.jpg'));
    const added = await api.post(`/dataset/${dataset}/add_media`, { s3_uri: join(folder, 'later') });
    expect(added.status).toBe(202);
    await api.waitFor(dataset, 'PARTIAL INDEX');
    await until(
      async () => (await list()).body.indexed_items,
      (n) => n === 20,
    );
    await compared();
    expect(await groups('duplicate_threshold=0.8')).toContainEqual(['again.jpg', 'scene-7.png']);
    const { body } = await api.get<{ tasks: Task[] }>(`/tasks?dataset_id=${dataset}&task_type=DUPLICATE_DETECTION`);
    expect(body.tasks).toHaveLength(2);
    // The task runs beside other tasks, so the dataset's status does not change.
    expect((await api.get<Dataset>(`/dataset/${dataset}`)).body.status_new).toBe('PARTIAL INDEX');
  });

  it('have their own similarity to the copy to keep, even if a file equals another copy', async () => {
    const { body } = await list('duplicate_threshold=0.8');
    const group = body.groups.find(({ items }) => items[0]?.file_path === 'scene-1.png');
    const confidenceOf = (file: string) => group?.items.find(({ file_path }) => file_path === file)?.confidence;
    expect(confidenceOf('scene-1.png')).toBe(1);
    expect(confidenceOf('same.jpg')).toBeLessThan(1);
    expect(confidenceOf('same.jpg')).toBe(confidenceOf('near/small.jpg'));
  });

  it('are computed again on request', async () => {
    const { status, body } = await api.call<{ task_id: string }>('POST', `/dataset/${dataset}/find_duplicates`);
    expect(status).toBe(202);
    const listed = async (query: string) => {
      const { body: answer } = await api.get<{ tasks: Task[] }>(`/tasks?dataset_id=${dataset}${query}`);
      return answer.tasks.map(({ task_id }) => task_id);
    };
    expect((await listed('&with_service=true'))[0]).toBe(body.task_id);
    expect(await listed('&task_type=DUPLICATE_DETECTION')).toContain(body.task_id);
    // By default the list omits these tasks: clients assume that the first task is the one that they started, and know only the interface's
    // types.
    const { body: known } = await api.get<{ tasks: Task[] }>(`/tasks?dataset_id=${dataset}`);
    expect(known.tasks.map(({ task_type }) => task_type)).toEqual(['MEDIA_ADDITION', 'DATASET_CREATION']);
    expect((await api.get('/tasks/filters')).body.task_types).not.toContain('DUPLICATE_DETECTION');
  });

  it.each(['duplicate_threshold=1.1', 'duplicate_threshold=much', 'page_size=101', 'page_number=-1', 'vql=[{}]'])(
    'refuse %s',
    async (query) => {
      expect((await list(query)).status).toBe(422);
    },
  );
});

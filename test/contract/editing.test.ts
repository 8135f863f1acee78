import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { MetadataValue } from '../../src-main/contract/schemas/custom-metadata.ts';
import type { Edit, Tag } from '../../src-main/contract/schemas/edit.ts';
import type { ExploreResult } from '../../src-main/contract/schemas/explore.ts';
import type { Image } from '../../src-main/contract/schemas/image.ts';
import { type Api, json } from '../support/api.ts';
import { atEnd } from '../support/at-end.ts';
import { writeImages } from '../support/images.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { startTestApi } from '../support/test-api.ts';

const UNKNOWN = '00000000-0000-4000-8000-000000000000';
const N = 6;

let api: Api;
let dataset: string;
let folder: string;
let ids: string[];

beforeAll(async () => {
  ({ api } = await startTestApi({ finished: atEnd }));
  folder = await temporaryFolder(atEnd);
  await writeImages(folder, [1, 2, 3, 4, 5, 6]);
  dataset = await api.createFromFolder('edited', folder);
  await api.waitFor(dataset, 'READY');
  ids = await found();
});

const media = (...mediaIds: string[]) => [{ type: 'media', payload: { media_ids: mediaIds } }];
const query = (...filters: unknown[]) => [{ type: 'query', payload: { vql: JSON.stringify(filters) } }];

function edit(what: string, body: unknown) {
  return api.call<Edit & { detail: string }>('POST', `/dataset/${dataset}/${what}`, json(body));
}

async function createTag(name: string): Promise<string> {
  const { body, status } = await api.call<Tag>('POST', `/dataset/${dataset}/tags`, json({ name }));
  expect(status).toBe(200);
  return body.id;
}

/** Ids of all items that match a query, in any order. */
async function found(...filters: unknown[]): Promise<string[]> {
  const vql = filters.length === 0 ? '' : `&vql=${encodeURIComponent(JSON.stringify(filters))}`;
  const { body } = await api.get<ExploreResult>(`/explore/${dataset}?threshold=0${vql}`);
  return body.clusters.flatMap(({ previews }) => previews.map(({ media_id }) => media_id)).sort();
}

describe('captions and values of custom fields', () => {
  const metadataOf = async (id: string) =>
    (await api.get<MetadataValue[]>(`/datasets/${dataset}/image/${id}/custom_metadata`)).body.map(({ value }) => value);
  const captionsOf = async (id: string) => (await api.get<Image>(`/image/${id}`)).body.caption_details;
  const undo = () => api.call<Edit>('POST', `/dataset/${dataset}/undo_edit`, json({}));

  it('of people are set for many items, found, and taken back', async () => {
    const [first = '', second = ''] = ids;
    const both = media(first, second);
    const set = await edit('edit_caption', { media_selection: both, caption: ' a quiet harbour ' });
    expect(set).toMatchObject({ status: 200, body: { kind: 'CAPTION', added: ['a quiet harbour'], n_changed: 2 } });
    expect(await captionsOf(first)).toEqual([{ caption: 'a quiet harbour', source: 'User' }]);
    const harbour = { text: { op: 'fts', value: 'harbours' } };
    expect(await found(harbour)).toEqual([first, second].sort());
    await edit('edit_caption', { media_selection: media(first), caption: null });
    expect(await found(harbour)).toEqual([second]);
    const [, older] = (await api.get<Edit[]>(`/dataset/${dataset}/edits`)).body;
    const early = await api.call('POST', `/dataset/${dataset}/undo_edit`, json({ edit_id: older?.edit_id }));
    expect(early.status).toBe(409);
    expect((await undo()).status).toBe(200);
    expect(await found(harbour)).toEqual([first, second].sort());
    expect((await undo()).status).toBe(200);
    expect(await captionsOf(first)).toEqual([]);
    expect(await found(harbour)).toEqual([]);
  });

  it('are checked by the type of the field', async () => {
    const [first = ''] = ids;
    const declare = (body: object) => api.call('POST', `/datasets/${dataset}/custom_metadata/tasks`, json(body));
    await declare({ field_name: 'Weather', field_type: 'enum', enum_options: ['sun', 'rain'] });
    await declare({ field_name: 'Taken', field_type: 'datetime' });
    const set = (fieldName: string, value: unknown) =>
      edit('edit_custom_metadata', { media_selection: media(first), field_name: fieldName, value });
    expect((await set('Weather', 'rain')).body).toMatchObject({ kind: 'CUSTOM_METADATA', added: ['Weather', 'rain'] });
    expect((await set('Weather', 'rain')).body).toMatchObject({ edit_id: null, n_changed: 0 });
    expect((await set('Taken', '2024-05-01')).status).toBe(200);
    expect(await metadataOf(first)).toEqual(['rain', '2024-05-01T00:00:00.000Z']);
    const rainy = { metadata: { field: 'Weather', op: 'is', value: ['rain'] } };
    expect(await found(rainy)).toEqual([first]);
    expect(await set('Weather', 'hail')).toMatchObject({
      status: 422,
      body: { detail: expect.stringContaining('value') },
    });
    expect((await set('Nothing', 'x')).status).toBe(422);
    expect((await set('Taken', null)).status).toBe(200);
    expect((await undo()).status).toBe(200);
    expect((await undo()).status).toBe(200);
    expect((await undo()).status).toBe(200);
    expect(await metadataOf(first)).toEqual([]);
    expect(await found(rainy)).toEqual([]);
  });
});

describe('tags', () => {
  it('are created, listed by name, renamed and deleted', async () => {
    const [b, a] = [await createTag('beta'), await createTag('Alpha')];
    const names = async () => (await api.get<Tag[]>(`/dataset/${dataset}/tags`)).body.map(({ name }) => name);
    expect(await names()).toEqual(['Alpha', 'beta']);
    const twice = await api.call('POST', `/dataset/${dataset}/tags`, json({ name: ' ALPHA ' }));
    expect(twice).toMatchObject({ status: 409, body: { detail: 'A tag named "Alpha" already exists' } });
    const taken = await api.call('PATCH', `/dataset/${dataset}/tags/${b}`, json({ name: 'alpha' }));
    expect(taken.status).toBe(409);
    const renamed = await api.call('PATCH', `/dataset/${dataset}/tags/${a}`, json({ name: 'ALPHA' }));
    expect(renamed).toMatchObject({ status: 200, body: { id: a, name: 'ALPHA' } });
    for (const id of [a, b]) expect((await api.call('DELETE', `/dataset/${dataset}/tags/${id}`)).status).toBe(200);
    expect(await names()).toEqual([]);
    expect((await api.call('DELETE', `/dataset/${dataset}/tags/${a}`)).status).toBe(404);
    expect((await api.call('PATCH', `/dataset/${dataset}/tags/${a}`, json({ name: 'gone' }))).status).toBe(404);
  });

  it('are added by ids and by a query, searched, shown and removed', async () => {
    const [first = '', second = ''] = ids;
    const tag = await createTag('checked');
    const put = await edit('edit_tags', { media_selection: media(first, second), add: [tag] });
    expect(put).toMatchObject({ status: 200, body: { kind: 'TAGS', added: ['checked'], n_changed: 2 } });
    const again = await edit('edit_tags', { media_selection: media(first), add: [tag] });
    expect(again.body).toMatchObject({ edit_id: null, n_changed: 0 });

    const tagged = { tags: { op: 'is', value: [tag] } };
    expect(await found(tagged)).toEqual([first, second].sort());
    expect(await found({ tags: { op: 'is', value: 'untagged' } })).toHaveLength(N - 2);
    const { body: byParameter } = await api.get<ExploreResult>(`/explore/${dataset}?tags=${tag}`);
    expect(byParameter.clusters.flatMap(({ user_tags }) => user_tags)).toContain('checked');
    const { body: image } = await api.get<Image>(`/image/${first}`);
    expect(image.user_tags).toEqual([
      {
        tag_id: tag,
        name: 'checked',
        assigned_date: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      },
    ]);

    const other = await createTag('other');
    const rest = [{ type: 'query', payload: { tags: 'untagged', exclude_media_ids: [ids[2]] } }];
    expect((await edit('edit_tags', { media_selection: rest, add: [other] })).body.n_changed).toBe(N - 3);
    expect(await found({ tags: { op: 'one_of', value: [tag, other] } })).toHaveLength(N - 1);
    const { body: listed } = await api.get<Tag[]>(`/dataset/${dataset}/tags`);
    expect(listed.map(({ name, n_images }) => [name, n_images])).toEqual([
      ['checked', 2],
      ['other', N - 3],
    ]);

    const swapped = await edit('edit_tags', { media_selection: query(tagged), add: [other], remove: [tag] });
    expect(swapped.body).toMatchObject({ added: ['other'], removed: ['checked'], n_changed: 2 });
    expect(await found(tagged)).toEqual([]);
    await edit('undo_edit', {});
    expect(await found(tagged)).toEqual([first, second].sort());
    const deleted = await api.call<Edit>('DELETE', `/dataset/${dataset}/tags/${tag}`);
    expect(deleted.body).toMatchObject({ kind: 'TAG_DELETION', removed: ['checked'], n_changed: 2 });
    expect((await api.get<Image>(`/image/${first}`)).body.user_tags).toEqual([]);
    await edit('undo_edit', { edit_id: deleted.body.edit_id });
    expect(await found(tagged)).toEqual([first, second].sort());
  });

  it('are added to the items of a cluster', async () => {
    const tag = await createTag('cluster');
    const { body } = await api.get<ExploreResult>(`/explore/${dataset}?threshold=0`);
    const [cluster] = body.clusters;
    const selection = [{ type: 'cluster', payload: { cluster_id: cluster?.cluster_id } }];
    expect((await edit('edit_tags', { media_selection: selection, add: [tag] })).body.n_changed).toBe(
      cluster?.n_images,
    );
  });
});

describe('manual labels', () => {
  it('override other labels and can be undone', async () => {
    const [first = '', second = ''] = ids;
    const { body } = await edit('edit_labels', { media_selection: media(first, second), add: ['dog'] });
    expect(body).toMatchObject({ kind: 'LABELS', added: ['dog'], n_changed: 2 });
    const dog = { labels: { op: 'is', value: ['dog'] } };
    expect(await found(dog)).toEqual([first, second].sort());
    expect((await api.get<Image>(`/image/${first}`)).body.label_details).toEqual([
      { label: 'dog', source: 'User', confidence: null },
    ]);
    const corrected = await edit('edit_labels', { media_selection: query(dog), add: ['wolf'], remove: ['dog', 'cat'] });
    expect(corrected.body.n_changed).toBe(2);
    expect(await found(dog)).toEqual([]);
    expect((await api.get<Image>(`/image/${second}`)).body.labels).toEqual(['wolf']);
    const { body: stats } = await api.get(`/dataset/${dataset}/stats`);
    expect(stats.n_labels).toBe(2);
    await edit('undo_edit', {});
    expect(await found(dog)).toEqual([first, second].sort());
    await edit('undo_edit', {});
    expect(await found({ labels: { op: 'is', value: ['Unlabeled'] } })).toHaveLength(N);
  });

  it('are confirmed on items that have them, once each', async () => {
    const annotated = await temporaryFolder(atEnd);
    await writeImages(annotated, [1, 2]);
    const names = await readdir(annotated);
    await writeFile(join(annotated, 'image_annotations.csv'), `filename,label\n${names[0]},dog\n`);
    const dogs = await api.createFromFolder('dogs', annotated);
    await api.waitFor(dogs, 'READY');
    const confirm = (labels: string[]) =>
      api.call<Edit>('POST', `/dataset/${dogs}/edit_labels`, json({ media_selection: query(), confirm: labels }));
    expect((await confirm(['cat'])).body).toMatchObject({ edit_id: null, n_changed: 0 });
    expect((await confirm(['dog'])).body).toMatchObject({ added: ['dog'], n_changed: 1 });
    expect((await confirm(['dog'])).body.n_changed).toBe(0);
    const vql = encodeURIComponent(JSON.stringify([{ labels: { op: 'is', value: ['dog'] } }]));
    const { body } = await api.get<ExploreResult>(`/explore/${dogs}?threshold=0&vql=${vql}`);
    const shown = body.clusters.flatMap(({ previews }) => previews);
    expect(shown.map(({ file_name }) => file_name)).toEqual([names[0]]);
    const image = await api.get<Image>(`/image/${shown[0]?.media_id}`);
    expect(image.body.label_details).toEqual([{ label: 'dog', source: 'User', confidence: null }]);
    const both = { media_selection: query(), confirm: ['dog'], remove: ['dog'] };
    expect((await edit('edit_labels', both)).status).toBe(400);
  });
});

describe('clusters', () => {
  const listed = async (query = '') => (await api.get<ExploreResult>(`/explore/${dataset}?threshold=0${query}`)).body;
  const change = (action: string, ...clusterIds: string[]) =>
    api.call<Edit>('POST', `/explore/${dataset}/edit_clusters`, json({ action, cluster_ids: clusterIds }));
  const undo = () => api.call<Edit>('POST', `/dataset/${dataset}/undo_edit`, json({}));

  it('are merged, split again, and undone', async () => {
    const before = await listed();
    const [first, second] = before.clusters;
    const merged = await change('merge', first?.cluster_id ?? '', second?.cluster_id ?? '');
    expect(merged).toMatchObject({ status: 200, body: { kind: 'CLUSTERS_MERGED' } });
    const after = await listed();
    expect(after.metadata).toMatchObject({
      total_clusters: before.metadata.total_clusters - 1,
      total_items: before.metadata.total_items,
    });
    const whole = after.clusters.find(({ is_merged }) => is_merged);
    expect(whole?.n_images).toBe((first?.n_images ?? 0) + (second?.n_images ?? 0));
    const { body: image } = await api.get<Image>(`/image/${second?.previews[0]?.media_id}`);
    expect(image.cluster_ids[0]).toBe(whole?.cluster_id);
    expect((await change('split', whole?.cluster_id ?? '')).status).toBe(200);
    expect((await listed()).metadata.total_clusters).toBe(before.metadata.total_clusters);
    await undo();
    expect((await listed()).metadata.total_clusters).toBe(before.metadata.total_clusters - 1);
    await undo();
    expect((await listed()).clusters.map(({ cluster_id }) => cluster_id)).toEqual(
      before.clusters.map(({ cluster_id }) => cluster_id),
    );
    expect((await change('merge', first?.cluster_id ?? '')).status).toBe(400);
    expect((await change('hide', UNKNOWN)).status).toBe(404);
  });

  it('are hidden from the list of clusters, listed apart, and shown again', async () => {
    const before = await listed();
    const hidden = before.clusters[0]?.cluster_id ?? '';
    expect((await change('hide', hidden)).body).toMatchObject({ kind: 'CLUSTERS_HIDDEN', n_changed: 1 });
    const left = await listed();
    expect(left.clusters.map(({ cluster_id }) => cluster_id)).not.toContain(hidden);
    expect(left.metadata.hidden_clusters).toBe(1);
    expect((await listed('&hidden=true')).clusters).toMatchObject([{ cluster_id: hidden }]);
    expect((await change('show', hidden)).status).toBe(200);
    expect((await listed()).metadata).toEqual(before.metadata);
    await undo();
    expect((await listed()).metadata.hidden_clusters).toBe(1);
    await undo();
    expect((await listed()).metadata).toEqual(before.metadata);
  });

  it('are named in the history', async () => {
    const [first] = (await listed()).clusters;
    await api.call('PATCH', `/explore/${dataset}/cluster/${first?.cluster_id}`, json({ name: 'Harbours' }));
    expect((await listed()).clusters[0]?.name).toBe('Harbours');
    expect((await api.get<Edit[]>(`/dataset/${dataset}/edits`)).body[0]).toMatchObject({
      kind: 'CLUSTER_NAME',
      added: ['Harbours'],
    });
    await undo();
    expect((await listed()).clusters[0]?.name).toBeNull();
  });
});

describe('exclusion', () => {
  it('hides items until they are brought back', async () => {
    const [first = '', second = ''] = ids;
    const out = await edit('exclude', { media_selection: media(first, second) });
    expect(out.body).toMatchObject({ kind: 'EXCLUSION', n_changed: 2 });
    expect(await found()).toEqual(ids.slice(2));
    expect((await api.get(`/dataset/${dataset}`)).body.n_images).toBe(N - 2);
    expect((await api.get(`/dataset/${dataset}/stats`)).body).toMatchObject({ n_images: N - 2, n_excluded: 2 });
    expect((await api.get<Image>(`/image/${first}`)).body.excluded).toBe(true);
    const excluded = { excluded: { op: 'is', value: true } };
    expect(await found(excluded)).toEqual([first, second].sort());

    const back = await edit('include', { media_selection: media(first, ids[3] ?? '') });
    expect(back.body).toMatchObject({ kind: 'INCLUSION', n_changed: 1 });
    expect(await found(excluded)).toEqual([second]);
    expect((await edit('include', { media_selection: query() })).body.n_changed).toBe(1);
    expect(await found()).toEqual(ids);
    expect((await api.get(`/dataset/${dataset}`)).body.n_images).toBe(N);
  });
});

describe('undo', () => {
  it('takes back any edit whose changes no later one changed again', async () => {
    const tag = await createTag('undone');
    const [first = '', second = ''] = ids;
    const put = (...mediaIds: string[]) => edit('edit_tags', { media_selection: media(...mediaIds), add: [tag] });
    const tagged = () => found({ tags: { op: 'is', value: [tag] } });
    const { body: one } = await put(first);
    const { body: two } = await put(second);
    const { body: edits } = await api.get<Edit[]>(`/dataset/${dataset}/edits`);
    expect(edits.slice(0, 2).map(({ edit_id }) => edit_id)).toEqual([two.edit_id, one.edit_id]);
    expect((await edit('undo_edit', { edit_id: one.edit_id })).body).toEqual(one);
    expect(await tagged()).toEqual([second]);
    const { body: off } = await edit('edit_tags', { media_selection: media(second), remove: [tag] });
    const refused = await edit('undo_edit', { edit_id: two.edit_id });
    expect(refused).toMatchObject({ status: 409, body: { detail: expect.stringContaining('undo that one first') } });
    await edit('undo_edit', { edit_id: off.edit_id });
    expect((await edit('undo_edit', { edit_id: two.edit_id })).body).toEqual(two);
    expect(await tagged()).toEqual([]);
  });

  it('is found by the item that an edit changed', async () => {
    const [first = '', second = '', third = ''] = ids;
    const tag = await createTag('of an item');
    const { body: both } = await edit('edit_tags', { media_selection: media(first, second), add: [tag] });
    const { body: caption } = await edit('edit_caption', { media_selection: media(second), caption: 'by the sea' });
    const ofItem = async (id: string) => {
      const { body } = await api.get<Edit[]>(`/dataset/${dataset}/edits?media_id=${id}`);
      return body.map(({ edit_id }) => edit_id).filter((id) => id !== null && id >= (both.edit_id ?? 0));
    };
    expect(await ofItem(first)).toEqual([both.edit_id]);
    expect(await ofItem(second)).toEqual([caption.edit_id, both.edit_id]);
    expect(await ofItem(third)).toEqual([]);
    await edit('undo_edit', { edit_id: caption.edit_id });
    await edit('undo_edit', { edit_id: both.edit_id });
    expect(await ofItem(second)).toEqual([]);
    const { status } = await api.get(`/dataset/${dataset}/edits?media_id=${dataset}`);
    expect(status).toBe(404);
  });

  it('ends with the first edit', async () => {
    const fresh = await api.createFromFolder('fresh', folder);
    await api.waitFor(fresh, 'READY');
    const { status, body } = await api.call('POST', `/dataset/${fresh}/undo_edit`, json({}));
    expect(status).toBe(404);
    expect(body.detail).toBe('There is no edit to undo');
  });
});

describe('an invalid edit', () => {
  it('is refused and changes nothing', async () => {
    const [first = ''] = ids;
    const tag = await createTag('refused');
    const refused = [
      [404, { media_selection: media(first, UNKNOWN), add: [tag] }],
      [404, { media_selection: media(first), add: [tag, UNKNOWN] }],
      [404, { media_selection: [{ type: 'cluster', payload: { cluster_id: UNKNOWN } }], add: [tag] }],
      [400, { media_selection: media(first) }],
      [400, { media_selection: media(first), add: [tag], remove: [tag] }],
      [422, { media_selection: [], add: [tag] }],
      [422, { media_selection: media('no id'), add: [tag] }],
      [422, { media_selection: query({ nothing: 1 }), add: [tag] }],
      [422, { media_selection: [{ type: 'all' }], add: [tag] }],
    ] as const;
    for (const [status, body] of refused) expect((await edit('edit_tags', body)).status).toBe(status);
    expect(await found({ tags: { op: 'is', value: [tag] } })).toEqual([]);
    expect((await edit('edit_labels', { media_selection: media(first), add: [' '] })).status).toBe(422);
  });

  it('treats ids of another dataset as unknown', async () => {
    const other = await api.createFromFolder('other', folder);
    await api.waitFor(other, 'READY');
    const answer = await api.call('POST', `/dataset/${other}/exclude`, json({ media_selection: media(ids[0] ?? '') }));
    expect(answer.status).toBe(404);
  });
});

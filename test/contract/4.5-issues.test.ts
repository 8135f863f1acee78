import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp, { type Sharp } from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import type { ExplorationMetadata, ExploreResult, Preview } from '../../src-main/contract/schemas/explore.ts';
import type { Facets, ItemPage, ListedItem } from '../../src-main/contract/schemas/facets.ts';
import type { Image } from '../../src-main/contract/schemas/image.ts';
import { ISSUE_CHOICES, type IssueCounts } from '../../src-main/contract/schemas/issues.ts';
import { type Api, json } from '../support/api.ts';
import { atEnd } from '../support/at-end.ts';
import { seeded } from '../support/images.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { openData } from '../support/test-api.ts';

let api: Api;
let id: string;
let labelled: string;

/** Coloured squares with sharp edges. */
function squares(seed: number, width = 320, height = 240): Sharp {
  const random = seeded(seed);
  const small = Buffer.from(Array.from({ length: 40 * 30 * 3 }, () => Math.floor(random() * 256)));
  const options = { fit: 'fill', kernel: 'nearest' } as const;
  return sharp(small, { raw: { width: 40, height: 30, channels: 3 } }).resize(width, height, options);
}

/** Exposes an image too long: soft shades, cut off at white, with grain that keeps its edges sharp. */
async function exposed(grain: Sharp): Promise<Sharp> {
  const soft = await sharp(await squares(31).png().toBuffer())
    .blur(12)
    .linear(6, -600)
    .png()
    .toBuffer();
  const fine = await grain.linear(0.35, 0).png().toBuffer();
  return sharp(soft).composite([{ input: fine, blend: 'add' }]);
}

/** Moves an image to one side during the exposure, by a number of pixels. */
async function moved(image: Sharp, length: number): Promise<Sharp> {
  const kernel = Array.from({ length: length * length }, (_, at) => Number(Math.floor(at / length) === length >> 1));
  return sharp(await image.png().toBuffer()).convolve({ width: length, height: length, kernel });
}

/** Expected issues of each file. Other files have none. */
const WRONG: Record<string, string[]> = {
  'blurred.png': ['blur'],
  'dark.png': ['dark'],
  'bright.png': ['bright'],
  'moved.png': ['blur'],
  'overexposed.png': ['bright'],
  'empty.png': ['low_information'],
  'huge.png': ['odd_size'],
  'strip.png': ['odd_aspect_ratio'],
  'one.png': ['duplicates'],
  'same.png': ['duplicates'],
};
const SOUND = Array.from({ length: 12 }, (_, seed) => `sound-${seed}.png`);
/** Files without an issue. */
const FINE = ['narrow.png', 'on-black.png', 'on-white.png', ...SOUND];
const names = (issue: string) => Object.keys(WRONG).filter((name) => WRONG[name]?.includes(issue));

async function writeFiles(folder: string): Promise<void> {
  const save = async (name: string, image: Sharp) => writeFile(join(folder, name), await image.png().toBuffer());
  for (const [seed, name] of SOUND.entries()) await save(name, squares(seed));
  await save('blurred.png', sharp(await squares(20).png().toBuffer()).blur(5));
  await save('dark.png', squares(21).linear(0.3, 0));
  await save('bright.png', squares(22).linear(0.12, 220));
  await save('moved.png', await moved(squares(27), 11));
  await save('overexposed.png', await exposed(squares(28)));
  // Objects on white and on black ground, and pages, are neither bright nor dark.
  await save(
    'on-white.png',
    squares(29, 120, 90).extend({ top: 75, bottom: 75, left: 100, right: 100, background: 'white' }),
  );
  await save(
    'on-black.png',
    squares(30, 120, 90).extend({ top: 75, bottom: 75, left: 100, right: 100, background: 'black' }),
  );
  await save('empty.png', sharp({ create: { width: 320, height: 240, channels: 3, background: '#808080' } }));
  await save('huge.png', squares(23, 1600, 1200));
  // A narrow image that the setting allows.
  await save('strip.png', squares(24, 1200, 48));
  await save('narrow.png', squares(25, 600, 150));
  await save('one.png', squares(26));
  await copyFile(join(folder, 'one.png'), join(folder, 'same.png'));
  await writeFile(
    join(folder, 'object_annotations.csv'),
    'filename,col_x,row_y,width,height,label\ndark.png,10,10,80,80,thing\nsound-0.png,10,10,80,80,thing\n',
  );
}

/** Writes three kinds of images that are similar within their kind. The first image of the first kind has the label of the second. */
async function writeLabelled(folder: string): Promise<void> {
  const kinds = ['meadow', 'harbour', 'city'];
  const rows: string[] = [];
  await mkdir(folder, { recursive: true });
  for (const [kind, label] of kinds.entries()) {
    for (let nth = 0; nth < 12; nth += 1) {
      const name = `${label}-${nth}.png`;
      await writeFile(
        join(folder, name),
        await squares(100 + kind)
          .linear(1 - nth * 0.02, nth)
          .png()
          .toBuffer(),
      );
      rows.push(`${name},${kind === 0 && nth === 0 ? kinds[1] : label}`);
    }
  }
  await writeFile(join(folder, 'image_annotations.csv'), `filename,label\n${rows.join('\n')}\n`);
  const boxes = rows.map((row) => {
    const [name = '', label] = row.split(',');
    return `${name},20,20,280,200,${name === 'city-3.png' ? 'harbour' : label}`;
  });
  const header = 'filename,col_x,row_y,width,height,label';
  await writeFile(join(folder, 'object_annotations.csv'), `${header}\n${boxes.join('\n')}\n`);
}

beforeAll(async () => {
  const folder = await temporaryFolder(atEnd);
  await writeFiles(folder);
  const labelledFolder = await temporaryFolder(atEnd);
  await writeLabelled(labelledFolder);
  ({ api } = await openData(await temporaryFolder(atEnd), {
    finished: atEnd,
    environment: {
      VITRINE_ISSUE_ODD_ASPECT_RATIO: '0.1',
    },
  }));
  id = await api.createFromFolder('Issues', folder, { encoder: 'none' });
  labelled = await api.createFromFolder('Labelled', labelledFolder, { encoder: 'none' });
  await api.waitFor(id, 'READY');
  await api.waitFor(labelled, 'READY');
});

/** Lists all items with their details, in an order. */
async function table(sort: object, of = id): Promise<ListedItem[]> {
  const query = new URLSearchParams({ details: 'true', page_size: '500', ...sort });
  return (await api.get<ItemPage>(`/explore/${of}/items?${query}`)).body.items;
}

async function items(body: object, of = id, entityType = 'IMAGES'): Promise<Preview[]> {
  const vql = JSON.stringify([{ issues: { op: 'issue', ...body } }]);
  const query = new URLSearchParams({ entity_type: entityType, sort_by: 'name', page_size: '500', vql });
  return (await api.get<ItemPage>(`/explore/${of}/items?${query}`)).body.items;
}
const found = async (...requested: Parameters<typeof items>) =>
  (await items(...requested)).map(({ file_name }) => file_name);
const counts = (of: IssueCounts) => Object.fromEntries(of.map(({ name, count }) => [name, count]));

describe('issues', () => {
  it.each(['blur', 'dark', 'bright', 'low_information', 'odd_size', 'odd_aspect_ratio', 'duplicates'])(
    'of the kind %s are found, and excluded',
    async (value) => {
      expect(await found({ value, mode: 'in' })).toEqual(names(value).sort());
      const others = await found({ value, mode: 'out' });
      expect(others).toHaveLength(FINE.length + Object.keys(WRONG).length - names(value).length);
      expect(others).not.toEqual(expect.arrayContaining(names(value)));
    },
  );

  it('are not reported for normal images', async () => {
    expect(await found({ value: 'normal' })).toEqual([...FINE].sort());
    expect(await found({ value: 'normal', mode: 'out' })).toEqual(Object.keys(WRONG).sort());
  });

  it('are filtered by confidence', async () => {
    const [dark] = await items({ value: 'dark' });
    const { body } = await api.get<Image>(`/dataset/${id}/image/${dark?.image_id}`);
    expect(body.issues).toEqual([
      {
        issue_type: 'dark',
        confidence: expect.any(Number),
        issues_description: expect.stringContaining('dark'),
        description: { code: 'issue_dark', params: {} },
        suggested_label: null,
      },
    ]);
    const sure = body.issues[0]?.confidence ?? 0;
    expect(await found({ value: 'dark', confidence_min: sure - 0.01, confidence_max: sure + 0.01 })).toEqual([
      'dark.png',
    ]);
    expect(await found({ value: 'dark', confidence_min: sure + 0.01 })).toEqual([]);
    expect(await found({ value: 'dark', confidence_max: 0.49 })).not.toContain('dark.png');
    expect((await found({ value: 'dark', confidence_max: 1, confidence_min: 0 })).length).toBeGreaterThan(15);
  });

  it('are counted for the matches of a query', async () => {
    const expected = Object.fromEntries(
      ISSUE_CHOICES.map((name) => [name, names(name).length] as const).filter(([, count]) => count > 0),
    );
    const all = { ...expected, normal: FINE.length };
    const { body: facets } = await api.get<Facets>(`/explore/${id}/facets?entity_type=IMAGES`);
    expect(counts(facets.issues)).toEqual(all);
    const { body: stats } = await api.get<{ issues: IssueCounts }>(`/dataset/${id}/stats`);
    expect(counts(stats.issues)).toEqual(all);
    const vql = encodeURIComponent('[{"issues":{"op":"issue","value":"dark"}}]');
    const { body } = await api.get<ExplorationMetadata>(`/explore/${id}/exploration_metadata?vql=${vql}`);
    expect(counts(body.issues)).toEqual({ dark: 1 });
  });

  it('of images apply to their objects', async () => {
    expect(await found({ value: 'dark' }, id, 'OBJECTS')).toEqual(['dark.png']);
    expect(await found({ value: 'dark', mode: 'out' }, id, 'OBJECTS')).toEqual(['sound-0.png']);
  });

  it('filter clusters, and combine with other filters', async () => {
    const ask = async (...filters: object[]) => {
      const vql = encodeURIComponent(JSON.stringify(filters));
      const { body } = await api.get<ExploreResult>(`/explore/${id}?entity_type=IMAGES&vql=${vql}`);
      return body.clusters.flatMap(({ previews }) => previews.map(({ file_name }) => file_name)).sort();
    };
    const duplicates = { issues: { op: 'issue', value: 'duplicates', mode: 'in' } };
    expect(await ask(duplicates)).toEqual(['one.png', 'same.png']);
    expect(await ask(duplicates, { files: { op: 'contains', value: ['sam'] } })).toEqual(['same.png']);
    expect(await ask(duplicates, { issues: { op: 'issue', value: 'dark' } })).toEqual([]);
  });

  it('are listed with each item and sort it, on request', async () => {
    const all = await table({ sort_by: 'dark', sort_order: 'desc' });
    expect(all[0]).toMatchObject({
      file_name: 'dark.png',
      details: {
        file_path: 'dark.png',
        format: 'png',
        size_bytes: expect.any(Number),
        issues: [{ issue_type: 'dark', suggested_label: null }],
        custom_metadata: [],
        cluster: { cluster_id: expect.any(String), name: null },
      },
    });
    const worst = (await table({ sort_by: 'issues', sort_order: 'desc' })).slice(0, Object.keys(WRONG).length);
    expect(worst.map(({ file_name }) => file_name).sort()).toEqual(Object.keys(WRONG).sort());
    const [first] = (await api.get<ItemPage>(`/explore/${id}/items`)).body.items;
    expect(first).not.toHaveProperty('details');
    const mislabelled = await table({ sort_by: 'mislabels', sort_order: 'desc' }, labelled);
    expect(mislabelled[0]).toMatchObject({
      file_name: 'meadow-0.png',
      details: { issues: [{ issue_type: 'mislabels', suggested_label: 'meadow' }] },
    });
  });

  it('are not needed to sort by size, name, label and cluster', async () => {
    const sizes = (await table({ sort_by: 'file_size' })).map(({ details }) => details?.size_bytes ?? 0);
    expect(sizes).toEqual(sizes.toSorted((a, b) => a - b));
    const byName = (await table({ sort_by: 'file_name', sort_order: 'desc' })).map(({ file_name }) => file_name);
    expect(byName).toEqual(byName.toSorted().reverse());
    const labels = (await table({ sort_by: 'label', sort_order: 'desc' })).map((item) => item.labels?.[0]);
    expect(labels.slice(0, 3)).toEqual(['thing', 'thing', undefined]);
    const clusters = (await table({ sort_by: 'cluster' }, labelled)).map(({ details }) => details?.cluster?.cluster_id);
    expect(clusters.filter((cluster, at) => cluster !== clusters[at - 1])).toHaveLength(new Set(clusters).size);
    const wrong = await api.get(`/explore/${id}/items?sort_by=metadata&sort_field=nothing`);
    expect(wrong.status).toBe(422);
    expect((await api.get(`/explore/${id}/items?sort_by=metadata`)).status).toBe(400);
  });

  it.each([
    { value: 'ugly' },
    { value: 'dark', mode: 'near' },
    { value: 'dark', confidence_min: 2 },
    { value: 'dark', confidence_max: 'x' },
    {},
  ])('cannot be %j', async (body) => {
    const vql = encodeURIComponent(JSON.stringify([{ issues: { op: 'issue', ...body } }]));
    const answer = await api.get<{ detail: string }>(`/explore/${id}?vql=${vql}`);
    expect(answer.status).toBe(422);
    expect(answer.body.detail).toContain('vql[0].issues');
  });
});

describe('clusters', () => {
  it('are named by the labels of most of their items', async () => {
    const { body } = await api.get<ExploreResult>(`/explore/${labelled}?entity_type=IMAGES&threshold=2`);
    const suggested = body.clusters.map(({ suggested_name }) => suggested_name);
    expect(suggested.slice(0, 3).sort()).toEqual(['city', 'harbour', 'meadow']);
    const { body: unnamed } = await api.get<ExploreResult>(`/explore/${id}?entity_type=IMAGES&threshold=2`);
    expect(new Set(unnamed.clusters.map(({ suggested_name }) => suggested_name))).toEqual(new Set([null, 'thing']));
  });
});

describe('labels that contradict those of their neighbours', () => {
  it('are reported with a suggested label, until a user corrects them', async () => {
    const [wrong, ...others] = await items({ value: 'mislabels' }, labelled);
    expect([wrong?.file_name, others]).toEqual(['meadow-0.png', []]);
    const { body } = await api.get<Image>(`/dataset/${labelled}/image/${wrong?.image_id}`);
    const mislabel = body.issues.find(({ issue_type }) => issue_type === 'mislabels');
    expect(mislabel?.issues_description).toContain('meadow');
    expect(mislabel?.issues_description).toContain('by appearance only');
    expect(mislabel?.suggested_label).toBe('meadow');
    const edit = (change: object) =>
      api.call(
        'POST',
        `/dataset/${labelled}/edit_labels`,
        json({
          media_selection: [{ type: 'media', payload: { media_ids: [wrong?.media_id] } }],
          ...change,
        }),
      );
    // Labels confirmed by a person are no longer doubtful.
    await edit({ confirm: ['harbour'] });
    expect(await found({ value: 'mislabels' }, labelled)).toEqual([]);
    await api.call('POST', `/dataset/${labelled}/undo_edit`, {
      body: '{}',
      headers: { 'content-type': 'application/json' },
    });
    expect(await found({ value: 'mislabels' }, labelled)).toEqual(['meadow-0.png']);
    await edit({ add: ['meadow'], remove: ['harbour'] });
    expect(await found({ value: 'mislabels' }, labelled)).toEqual([]);
  });

  it('are reported for an object of the image', async () => {
    const [wrong] = await items({ value: 'mislabels' }, labelled, 'OBJECTS');
    const { body } = await api.get<Image>(`/dataset/${labelled}/image/${wrong?.image_id}`);
    expect(body.file_name).toBe('city-3.png');
    expect(body.objects).toMatchObject([
      { label: 'harbour', issues: [{ issue_type: 'mislabels', suggested_label: 'city' }] },
    ]);
  });
});

import { copyFile, mkdir, readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { ItemPage } from '../../src-main/contract/schemas/facets.ts';
import type { IssueName } from '../../src-main/contract/schemas/issues.ts';
import type { EncoderList } from '../../src-main/contract/schemas/model.ts';
import { type Api, json } from '../support/api.ts';
import { seeded } from '../support/images.ts';
import { findModels } from '../support/models.ts';
import { round } from './timing.ts';

/** One photo of so many gets the label of another class. */
const ONE_WRONG_IN = 10;
/** Number of photos of other things among photos of clothing. */
const STRANGERS = 20;
const SEED = 5;

interface Truth {
  folder: string;
  /** Names of files that have each issue. */
  issues: Record<'mislabels' | 'outliers', ReadonlySet<string>>;
}

/**
 * Measures precision and recall of `mislabels` and `outliers` at the default limits, by appearance and by each trained encoder that is
 * available: photos of clothing whose folders are their labels, of which some are in a wrong folder, with some photos of other things among
 * them, which have a label of their own.
 */
export async function measureLabelIssues(api: Api, media: string, folder: string): Promise<object> {
  const truth = await layOut(media, folder);
  const models = findModels();
  if ('root' in models) await api.call('POST', '/models/import', json({ path: models.root }));
  const { body } = await api.get<EncoderList>('/encoders');
  const encoders = body.encoders.filter(({ installed }) => installed).map(({ model_id }) => model_id);
  const figures: Record<string, object> = {};
  for (const encoder of ['none', ...encoders]) figures[encoder] = await measureOne(api, truth, encoder);
  return figures;
}

async function measureOne(api: Api, truth: Truth, encoder: string): Promise<object> {
  const fields = { encoder, labels_from: 'folders' };
  const id = await api.createFromFolder(`labels ${encoder}`, truth.folder, fields);
  await api.waitFor(id, 'READY', 600_000);
  const measure = async (issue: keyof Truth['issues']) => {
    const found = await filesWith(api, id, issue);
    const expected = truth.issues[issue];
    const right = found.filter((name) => expected.has(name)).length;
    return {
      precision: round(right / Math.max(1, found.length)),
      recall: round(right / expected.size),
      found: found.length,
      expected: expected.size,
    };
  };
  return { mislabels: await measure('mislabels'), outliers: await measure('outliers') };
}

async function filesWith(api: Api, id: string, issue: IssueName): Promise<string[]> {
  const vql = encodeURIComponent(JSON.stringify([{ issues: { op: 'issue', value: issue } }]));
  const { body } = await api.get<ItemPage>(`/explore/${id}/items?page_size=500&vql=${vql}`);
  return body.items.map(({ file_name }) => file_name);
}

/** Copies the photos into folders of their labels, right and wrong ones. */
async function layOut(media: string, folder: string): Promise<Truth> {
  const random = seeded(SEED);
  const clothing = join(media, 'photos', 'clothing');
  const photos = (await readdir(clothing, { recursive: true })).filter((name) => /\.jpe?g$/i.test(name)).sort();
  const classOf = (photo: string) => basename(dirname(photo));
  const classes = [...new Set(photos.map(classOf))].sort();
  const mislabels = new Set<string>();
  const outliers = new Set<string>();
  const put = async (from: string, label: string, name: string) => {
    await mkdir(join(folder, label), { recursive: true });
    await copyFile(from, join(folder, label, name));
  };
  for (const [nth, photo] of photos.entries()) {
    const name = `${nth}.jpg`;
    const isWrong = nth % ONE_WRONG_IN === 0;
    const at = classes.indexOf(classOf(photo));
    const shift = isWrong ? 1 + Math.floor(random() * (classes.length - 1)) : 0;
    if (isWrong) mislabels.add(name);
    await put(join(clothing, photo), classes[(at + shift) % classes.length] ?? '', name);
  }
  const others = join(media, 'photos', 'coco', 'images');
  for (const photo of (await readdir(others)).sort().slice(0, STRANGERS)) {
    outliers.add(photo);
    await put(join(others, photo), 'other', photo);
  }
  return { folder, issues: { mislabels, outliers } };
}

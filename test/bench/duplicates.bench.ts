import { copyFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DUPLICATE_LEVELS, type DuplicateList } from '../../src-main/contract/schemas/duplicates.ts';
import { Api, until } from '../support/api.ts';
import { startServer } from '../support/server.ts';
import { EDITS, edited } from './image-edits.ts';
import { cosineHash, differenceHash, hammingDistance } from './perceptual-hashes.ts';
import { seconds } from './timing.ts';

/** Photos that are edited; `VITRINE_BENCH_DUPLICATES` overrides. */
const PHOTOS = Number(process.env.VITRINE_BENCH_DUPLICATES ?? 20);
/** Bits in which hashes of the same picture may differ: what their users take. */
const HASH_BITS = 10;
const LIMIT_MS = 3_600_000;

interface Pair {
  a: string;
  b: string;
  relation: string;
}

/**
 * Near-duplicates through the real server: the pairs of PAIRS.csv, and photos with all their edits among other photos, where perceptual
 * hashes stand beside. Shares are of pairs; a wrong pair is one that is no edit of the same photo. The seconds are those until READY, and
 * those of the comparisons after it.
 */
export async function measureDuplicates(media: string, folder: string): Promise<object> {
  const server = await startServer(join(folder, 'data'));
  try {
    const api = new Api(server.baseUrl);
    return {
      pairs: await measurePairs(api, media, join(folder, 'pairs')),
      edits: await measureEdits(api, media, join(folder, 'edits')),
    };
  } finally {
    await server.stop();
  }
}

async function measurePairs(api: Api, media: string, folder: string): Promise<object> {
  const lines = (await readFile(join(media, 'near-duplicates', 'PAIRS.csv'), 'utf8')).trim().split(/\r?\n/).slice(1);
  const pairs = lines.map((line): Pair => {
    const [, a = '', b = '', relation = ''] = line.split(',');
    return { a, b, relation };
  });
  for (const file of new Set(pairs.flatMap(({ a, b }) => [a, b]))) {
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await copyFile(join(media, file), join(folder, file));
  }
  const { dataset } = await createCompared(api, folder);
  const figures: Record<string, object> = {};
  for (const level of DUPLICATE_LEVELS) {
    const groupOf = await groupsAt(api, dataset, level);
    const isFound = ({ a, b }: Pair) => groupOf.get(a) !== undefined && groupOf.get(a) === groupOf.get(b);
    const share = (relation: string) => {
      const of = pairs.filter((pair) => pair.relation === relation);
      return round(of.filter(isFound).length / of.length);
    };
    const wrong = pairs.filter(({ relation }) => relation === 'different' || relation === 'similar-not-dup');
    figures[level] = {
      exact: share('exact'),
      near: share('near'),
      hard_near: share('hard-near'),
      wrong_pairs: wrong.filter(isFound).length,
    };
  }
  return figures;
}

async function measureEdits(api: Api, media: string, folder: string): Promise<object> {
  const photos = await imagesIn(join(media, 'photos', 'coco', 'images'));
  const others = await imagesIn(join(media, 'photos', 'clothing'));
  await mkdir(join(folder, 'others'), { recursive: true });
  const originOf = new Map<string, string>();
  const put = async (name: string, bytes: Buffer, origin: string) => {
    await writeFile(join(folder, name), bytes);
    originOf.set(name, origin);
  };
  for (const [nth, photo] of photos.entries()) {
    const bytes = await readFile(photo);
    await put(`${nth}-original.jpg`, bytes, photo);
    if (nth >= PHOTOS) continue;
    for (const edit of Object.keys(EDITS)) await put(`${nth}-${edit}.jpg`, await edited(bytes, edit), photo);
  }
  for (const [nth, other] of others.entries()) await put(`others/${nth}.jpg`, await readFile(other), other);

  const names = [...originOf.keys()];
  const edits = Object.keys(EDITS);
  const { dataset, creationS, comparisonS } = await createCompared(api, folder);
  const figures: Record<string, object> = {};
  for (const level of DUPLICATE_LEVELS.filter((one) => one < 1)) {
    const groupOf = await groupsAt(api, dataset, level);
    const isPair = (a: string, b: string) => groupOf.get(a) !== undefined && groupOf.get(a) === groupOf.get(b);
    figures[level] = shareFound(isPair, { names, edits, originOf });
  }
  const hashes: Record<string, object> = {};
  for (const [name, hash] of Object.entries({ phash: cosineHash, dhash: differenceHash })) {
    const of = new Map<string, bigint>();
    const takenS = await seconds(async () => {
      for (const file of names) of.set(file, await hash(join(folder, file)));
    });
    const isPair = (a: string, b: string) => hammingDistance(of.get(a) ?? 0n, of.get(b) ?? 0n) <= HASH_BITS;
    hashes[name] = { ...shareFound(isPair, { names, edits, originOf }), seconds: round(takenS) };
  }
  return {
    images: names.length,
    creation_s: round(creationS),
    comparison_s: round(comparisonS),
    ...figures,
    ...hashes,
  };
}

/** Share of edits that are found with their original, by edit where some are not; and pairs of different origin. */
function shareFound(
  isPair: (a: string, b: string) => boolean,
  {
    names,
    edits,
    originOf,
  }: { names: readonly string[]; edits: readonly string[]; originOf: ReadonlyMap<string, string> },
): object {
  const photos = Array.from({ length: PHOTOS }, (_, nth) => nth);
  const found = (edit: string) =>
    photos.filter((nth) => isPair(`${nth}-original.jpg`, `${nth}-${edit}.jpg`)).length / PHOTOS;
  const byEdit = edits.map((edit) => [edit, round(found(edit))] as const);
  let wrong = 0;
  for (const [at, a] of names.entries()) {
    for (const b of names.slice(at + 1)) if (originOf.get(a) !== originOf.get(b) && isPair(a, b)) wrong += 1;
  }
  return {
    recall: round(byEdit.reduce((sum, [, share]) => sum + share, 0) / edits.length),
    wrong_pairs: wrong,
    missed: Object.fromEntries(byEdit.filter(([, share]) => share < 1)),
  };
}

async function createCompared(api: Api, folder: string) {
  let dataset = '';
  const creationS = await seconds(async () => {
    dataset = await api.createFromFolder('bench', folder);
    await api.waitFor(dataset, 'READY', LIMIT_MS);
  });
  const comparisonS = await seconds(() =>
    until(
      async () => (await api.get<DuplicateList>(`/explore/${dataset}/duplicates?page_size=1`)).body,
      ({ compared_items, indexed_items }) => compared_items === indexed_items,
      LIMIT_MS,
    ),
  );
  return { dataset, creationS, comparisonS };
}

/** The group of each file that is in one. */
async function groupsAt(api: Api, dataset: string, level: number): Promise<Map<string, string>> {
  const groupOf = new Map<string, string>();
  for (let page = 0; ; page += 1) {
    const query = `duplicate_threshold=${level}&page_size=100&page_number=${page}`;
    const { body } = await api.get<DuplicateList>(`/explore/${dataset}/duplicates?${query}`);
    for (const { cluster_id, items } of body.groups)
      for (const { file_path } of items) groupOf.set(file_path, cluster_id);
    if ((page + 1) * 100 >= body.total_groups) return groupOf;
  }
}

async function imagesIn(folder: string): Promise<string[]> {
  const names = await readdir(folder, { recursive: true });
  return names
    .filter((name) => /\.(jpe?g|png)$/i.test(name))
    .sort()
    .map((name) => join(folder, name));
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}

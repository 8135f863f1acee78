import { copyFile, mkdir, readFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import pMap from 'p-map';
import { DUPLICATE_LEVELS, type DuplicateList } from '../../src-main/contract/schemas/duplicates.ts';
import type { Task } from '../../src-main/contract/schemas/task.ts';
import { Api, until } from '../support/api.ts';
import { type Server, startServer } from '../support/server.ts';
import {
  type DuplicateSet,
  layOutCopies,
  layOutEdits,
  layOutLiveries,
  layOutObjects,
  layOutTiny,
  layOutTinyPhotos,
} from './duplicate-sets.ts';
import { EDITS } from './image-edits.ts';
import { cosineHash, differenceHash, hammingDistance } from './perceptual-hashes.ts';
import { cpuSecondsOf } from './process-cpu.ts';
import { round, seconds } from './timing.ts';

/** Number of edited photos, and number of other images; `VITRINE_BENCH_DUPLICATES` and `VITRINE_BENCH_DUPLICATE_OTHERS` override them. */
const PHOTOS = Number(process.env.VITRINE_BENCH_DUPLICATES ?? 100);
const OTHERS = Number(process.env.VITRINE_BENCH_DUPLICATE_OTHERS ?? 5000);
/** Number of generated images, a share of which are copies; `VITRINE_BENCH_DUPLICATE_IMAGES` overrides it. */
const IMAGES = Number(process.env.VITRINE_BENCH_DUPLICATE_IMAGES ?? 10_000);
const COPIES = 0.01;
/**
 * Numbers of objects of each kind on plain ground, and of photos and of generated images of 32 pixels, without their copies;
 * `VITRINE_BENCH_DUPLICATE_MODELS` and `VITRINE_BENCH_DUPLICATE_TINY` override them.
 */
const MODELS = Number(process.env.VITRINE_BENCH_DUPLICATE_MODELS ?? 12);
const TINY = Number(process.env.VITRINE_BENCH_DUPLICATE_TINY ?? 80);
/** Names of the sets to measure, separated by commas; all if empty. */
const SETS = (process.env.VITRINE_BENCH_DUPLICATE_SETS ?? '').split(',').filter((name) => name !== '');
/** Maximum number of differing bits between hashes of the same image: the value in common use. */
const HASH_BITS = 10;
const LEVELS = DUPLICATE_LEVELS.filter((level) => level < 1);
const LIMIT_MS = 3_600_000;

interface Pair {
  a: string;
  b: string;
  relation: string;
}

/** Duplicates that one method reports in a set. */
interface Found {
  isPair(a: string, b: string): boolean;
  /** Number of reported pairs with different origins. */
  wrongPairs: number;
}

/**
 * Measures near-duplicates through the real server: the pairs of PAIRS.csv, photos with all their edits among other images (perceptual
 * hashes are the reference), generated images with few copies, objects on plain ground, also with other liveries, and images of 32 pixels.
 * Shares are of pairs; a wrong pair consists of images that are not edits of the same photo. Times are seconds until READY, seconds of the comparisons after it, and processor seconds of both on all cores.
 */
export async function measureDuplicates(media: string, folder: string): Promise<object> {
  const server = await startServer(join(folder, 'data'));
  const sets: Record<string, (place: string) => Promise<object>> = {
    pairs: (place) => measurePairs(server, media, place),
    edits: (place) => measureEdits(server, media, place),
    ten_thousand: async (place) => measureSet(server, await layOutCopies(place, IMAGES, COPIES)),
    objects: async (place) => measureSet(server, await layOutObjects(place, MODELS)),
    liveries: async (place) => measureSet(server, await layOutLiveries(place)),
    tiny: async (place) => measureSet(server, await layOutTiny(place, TINY)),
    tiny_photos: async (place) => measureSet(server, await layOutTinyPhotos(media, place, TINY)),
  };
  const figures: Record<string, object> = {};
  try {
    for (const [name, measure] of Object.entries(sets)) {
      if (SETS.length === 0 || SETS.includes(name)) figures[name] = await measure(join(folder, name));
    }
    return figures;
  } finally {
    await server.stop();
  }
}

async function measurePairs(server: Server, media: string, folder: string): Promise<object> {
  const lines = (await readFile(join(media, 'near-duplicates', 'PAIRS.csv'), 'utf8')).trim().split(/\r?\n/).slice(1);
  const pairs = lines.map((line): Pair => {
    const [, a = '', b = '', relation = ''] = line.split(',');
    return { a, b, relation };
  });
  for (const file of new Set(pairs.flatMap(({ a, b }) => [a, b]))) {
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await copyFile(join(media, file), join(folder, file));
  }
  const { groupsAt } = await createCompared(server, folder);
  const figures: Record<string, object> = {};
  for (const level of DUPLICATE_LEVELS) {
    const { isPair } = foundIn(await groupsAt(level), new Map());
    const isFound = ({ a, b }: Pair) => isPair(a, b);
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

async function measureEdits(server: Server, media: string, folder: string): Promise<object> {
  const set = await layOutEdits(media, folder, { photos: PHOTOS, others: OTHERS });
  const { groupsAt, figures } = await createCompared(server, folder);
  const levels: Record<string, object> = {};
  for (const level of LEVELS) levels[level] = sharesFound(foundIn(await groupsAt(level), set.originOf), set);
  const hashes: Record<string, object> = {};
  for (const [name, hash] of Object.entries({ phash: cosineHash, dhash: differenceHash })) {
    let found: Found | undefined;
    const takenS = await seconds(async () => {
      found = await foundByHash(set, hash);
    });
    hashes[name] = { ...(found && sharesFound(found, set)), seconds: round(takenS) };
  }
  return { ...figures, ...levels, ...hashes };
}

async function measureSet(server: Server, set: DuplicateSet): Promise<object> {
  const { groupsAt, figures } = await createCompared(server, set.folder);
  const levels: Record<string, object> = {};
  for (const level of LEVELS) levels[level] = sharesFound(foundIn(await groupsAt(level), set.originOf), set);
  return { ...figures, ratio: round(figures.comparison_s / figures.creation_s), ...levels };
}

/**
 * Returns the share of copies that were found with their original (by edit if some were missed) and the number of pairs of different
 * origin.
 */
function sharesFound({ isPair, wrongPairs }: Found, { copies }: DuplicateSet): object {
  const missed: Record<string, number> = {};
  let n = 0;
  for (const edit of Object.keys(EDITS)) {
    const of = copies.filter((copy) => copy.edit === edit);
    const found = of.filter(({ original, copy }) => isPair(original, copy)).length;
    n += found;
    if (found < of.length) missed[edit] = round(found / of.length);
  }
  return { copies: copies.length, recall: round(n / copies.length), wrong_pairs: wrongPairs, missed };
}

function foundIn(groups: readonly (readonly string[])[], originOf: ReadonlyMap<string, string>): Found {
  const groupOf = new Map(groups.flatMap((files, nth) => files.map((file) => [file, nth] as const)));
  let wrongPairs = 0;
  for (const files of groups) {
    const origins = files.map((file) => originOf.get(file));
    for (const [at, origin] of origins.entries()) {
      wrongPairs += origins.slice(at + 1).filter((other) => other !== origin).length;
    }
  }
  return { isPair: (a, b) => groupOf.has(a) && groupOf.get(a) === groupOf.get(b), wrongPairs };
}

async function foundByHash(
  { folder, originOf }: DuplicateSet,
  hash: (file: string) => Promise<bigint>,
): Promise<Found> {
  const files = [...originOf.keys()];
  const hashes = await pMap(files, (file) => hash(join(folder, file)), { concurrency: availableParallelism() });
  const hashOf = new Map(files.map((file, nth) => [file, hashes[nth] as bigint]));
  // Almost all of the millions of pairs already differ in more bits of one half, and comparing 32-bit integers is ten times as fast as
  // BigInt.
  const words = Uint32Array.from(hashes, (value) => Number(value & 0xffff_ffffn));
  let wrongPairs = 0;
  for (const [at, file] of files.entries()) {
    for (let other = at + 1; other < files.length; other += 1) {
      if (differingBits(words[at] as number, words[other] as number) > HASH_BITS) continue;
      if (hammingDistance(hashes[at] as bigint, hashes[other] as bigint) > HASH_BITS) continue;
      if (originOf.get(file) !== originOf.get(files[other] as string)) wrongPairs += 1;
    }
  }
  const isPair = (a: string, b: string) => hammingDistance(hashOf.get(a) ?? 0n, hashOf.get(b) ?? 0n) <= HASH_BITS;
  return { isPair, wrongPairs };
}

function differingBits(a: number, b: number): number {
  let n = 0;
  for (let word = a ^ b; word !== 0; word &= word - 1) n += 1;
  return n;
}

async function createCompared(server: Server, folder: string) {
  const api = new Api(server.baseUrl);
  const cpu = () => cpuSecondsOf(server.process.pid ?? 0);
  let dataset = '';
  const atStart = await cpu();
  const creationS = await seconds(async () => {
    dataset = await api.createFromFolder('bench', folder);
    await api.waitFor(dataset, 'READY', LIMIT_MS);
  });
  const atReady = await cpu();
  const list = async (query: string) => (await api.get<DuplicateList>(`/explore/${dataset}/duplicates?${query}`)).body;
  const comparisonS = await seconds(() =>
    until(
      () => list('page_size=1'),
      ({ compared_items, indexed_items }) => compared_items === indexed_items,
      LIMIT_MS,
    ),
  );
  const atEnd = await cpu();
  const { body } = await api.get<{ tasks: Task[] }>(`/tasks?dataset_id=${dataset}&task_type=DUPLICATE_DETECTION`);
  /** Files of each duplicate group. */
  const groupsAt = async (level: number): Promise<string[][]> => {
    const groups: string[][] = [];
    for (let page = 0; ; page += 1) {
      const { groups: found, total_groups } = await list(
        `duplicate_threshold=${level}&page_size=100&page_number=${page}`,
      );
      groups.push(...found.map(({ items }) => items.map(({ file_path }) => file_path)));
      if ((page + 1) * 100 >= total_groups) return groups;
    }
  };
  const { indexed_items } = await list('page_size=1');
  return {
    groupsAt,
    figures: {
      images: indexed_items,
      candidate_pairs: body.tasks[0]?.total ?? 0,
      creation_s: round(creationS),
      creation_cpu_s: round(atReady - atStart),
      comparison_s: round(comparisonS),
      comparison_cpu_s: round(atEnd - atReady),
    },
  };
}

import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { basename, dirname, extname, join } from 'node:path';
import pMap from 'p-map';
import sharp from 'sharp';
import { ffmpegPrograms, makeWithFfmpeg } from '../support/ffmpeg.ts';
import { POSED_KINDS, posedObject } from '../support/posed-objects.ts';
import { product } from '../support/products.ts';
import { scene } from '../support/scenes.ts';
import { EDITS, edited } from './image-edits.ts';

/** Video frames extracted per second. Frames of one video look similar. */
const FRAMES_PER_S = 2;
/** Number of generated scenes that share their largest shapes. */
const SCENES_OF_A_KIND = 25;
const [WIDTH, HEIGHT] = [640, 480];
/** Numbers of outlines of objects, and of liveries of each. */
const [OUTLINES, LIVERIES] = [6, 4];
/** Side of small images in pixels. */
const TINY_PX = 32;
/** Number of photos and scenes that are generated concurrently. */
const AT_ONCE = { concurrency: availableParallelism() };

export interface DuplicateSet {
  folder: string;
  /** Origin of each file, that is, what it shows. Only files of one origin may be reported as duplicates. */
  originOf: ReadonlyMap<string, string>;
  /** Originals and their edited copies, with the edit. */
  copies: readonly Copy[];
}

export interface Copy {
  original: string;
  copy: string;
  edit: string;
}

/**
 * Creates photos with all their edits among other images: the remaining photos, video frames, and generated scenes up to the requested
 * number.
 */
export async function layOutEdits(
  media: string,
  folder: string,
  { photos: nPhotos, others: nOthers }: { photos: number; others: number },
): Promise<DuplicateSet> {
  const set = await newSet(folder);
  const photos = await imagesIn(join(media, 'photos', 'coco', 'images'));
  await pMap(photos.slice(0, nPhotos), (photo, nth) => putEdits(set, photo, nth), AT_ONCE);

  const rest = [...photos.slice(nPhotos), ...(await imagesIn(join(media, 'photos', 'clothing')))].slice(0, nOthers);
  for (const [nth, photo] of rest.entries()) await set.put(`photo-${nth}.jpg`, await readFile(photo), photo);
  const frames = await layOutFrames(media, join(folder, 'frames'));
  for (const { file, video } of frames) set.originOf.set(join('frames', file), video);
  const nScenes = Math.max(0, nOthers - rest.length - frames.length);
  const putScene = async (nth: number) => set.put(`scene-${nth}.jpg`, await sceneOf(nth), `scene ${nth}`);
  await pMap(numbers(nScenes), putScene, AT_ONCE);
  return set;
}

/** Creates generated scenes, a share of which have one copy each. The copies use all edits in turn. */
export async function layOutCopies(folder: string, n: number, share: number): Promise<DuplicateSet> {
  const set = await newSet(folder);
  const edits = Object.keys(EDITS);
  const nCopies = Math.round(n * share);
  const put = async (nth: number) => {
    const bytes = await sceneOf(nth);
    await set.put(`${nth}.jpg`, bytes, `${nth}`);
    const edit = edits[nth % edits.length] as string;
    if (nth < nCopies) await set.putCopy(`${nth}.jpg`, `${nth}-${edit}.jpg`, edit, await edited(bytes, edit));
  };
  await pMap(numbers(n - nCopies), put, AT_ONCE);
  return set;
}

/** Creates objects on plain ground, several of each kind in one pose. One object in four has all edits as copies. */
export async function layOutObjects(folder: string, models: number): Promise<DuplicateSet> {
  const set = await newSet(folder);
  for (const kind of POSED_KINDS) {
    for (const model of numbers(models)) {
      const bytes = await sharp(await posedObject(kind, model))
        .jpeg({ quality: 88 })
        .toBuffer();
      const name = `${kind}-${model}`;
      await set.put(`${name}.jpg`, bytes, name);
      if (model % 4 === 0) await putAllEdits(set, name, bytes);
    }
  }
  return set;
}

/** Creates objects of several outlines on plain ground in several liveries. One in four has all edits as copies. */
export async function layOutLiveries(folder: string): Promise<DuplicateSet> {
  const set = await newSet(folder);
  for (const outline of numbers(OUTLINES)) {
    for (const livery of numbers(LIVERIES)) {
      const bytes = await sharp(await product(outline + 1, livery + 1))
        .jpeg({ quality: 88 })
        .toBuffer();
      const name = `${outline}-${livery}`;
      await set.put(`${name}.jpg`, bytes, name);
      if (livery === 0) await putAllEdits(set, name, bytes);
    }
  }
  return set;
}

/** Creates generated scenes of 32 pixels. One in four has all edits as copies. */
export function layOutTiny(folder: string, n: number): Promise<DuplicateSet> {
  return putTiny(folder, n, sceneOf);
}

/** As {@link layOutTiny}, of photos. */
export async function layOutTinyPhotos(media: string, folder: string, n: number): Promise<DuplicateSet> {
  const photos = await imagesIn(join(media, 'photos', 'coco', 'images'));
  return putTiny(folder, Math.min(n, photos.length), (nth) => readFile(photos[nth] ?? ''));
}

async function putTiny(folder: string, n: number, imageOf: (nth: number) => Promise<Buffer>): Promise<DuplicateSet> {
  const set = await newSet(folder);
  for (const nth of numbers(n)) {
    const bytes = await sharp(await imageOf(nth))
      .autoOrient()
      .resize(TINY_PX, TINY_PX, { fit: 'cover' })
      .jpeg({ quality: 95 })
      .toBuffer();
    await set.put(`${nth}.jpg`, bytes, `${nth}`);
    if (nth % 4 === 0) await putAllEdits(set, `${nth}`, bytes);
  }
  return set;
}

async function putAllEdits(set: Awaited<ReturnType<typeof newSet>>, name: string, bytes: Buffer): Promise<void> {
  const putEdit = async (edit: string) =>
    set.putCopy(`${name}.jpg`, `${name}-${edit}.jpg`, edit, await edited(bytes, edit));
  await pMap(Object.keys(EDITS), putEdit, AT_ONCE);
}

async function newSet(folder: string) {
  await mkdir(folder, { recursive: true });
  const originOf = new Map<string, string>();
  const copies: Copy[] = [];
  const put = async (name: string, bytes: Buffer, origin: string) => {
    await writeFile(join(folder, name), bytes);
    originOf.set(name, origin);
  };
  const putCopy = async (original: string, copy: string, edit: string, bytes: Buffer) => {
    await put(copy, bytes, originOf.get(original) ?? original);
    copies.push({ original, copy, edit });
  };
  return { folder, originOf, copies, put, putCopy };
}

async function putEdits(set: Awaited<ReturnType<typeof newSet>>, photo: string, nth: number): Promise<void> {
  const bytes = await readFile(photo);
  await set.put(`${nth}.jpg`, bytes, photo);
  await putAllEdits(set, `${nth}`, bytes);
}

/** Extracts frames of each video at intervals. Files with the same name in several formats are the same video. */
export async function layOutFrames(media: string, folder: string): Promise<{ file: string; video: string }[]> {
  if ('missing' in ffmpegPrograms) return [];
  await mkdir(folder, { recursive: true });
  // Other videos of the media are cut from each other.
  const names = ['bbb', 'mdn'].map((name) => join(media, 'videos', name));
  const videos = (await Promise.all(names.map((name) => filesIn(name, /\.(mp4|webm)$/i)))).flat();
  const frames: { file: string; video: string }[] = [];
  for (const [nth, video] of videos.entries()) {
    makeWithFfmpeg(['-i', video, '-vf', `fps=${FRAMES_PER_S}`, '-q:v', '3', join(folder, `${nth}-%04d.jpg`)]);
    const made = (await readdir(folder)).filter((file) => file.startsWith(`${nth}-`)).sort();
    frames.push(...made.map((file) => ({ file, video: join(dirname(video), basename(video, extname(video))) })));
  }
  return frames;
}

async function sceneOf(nth: number): Promise<Buffer> {
  const png = await scene(nth + 1, WIDTH, HEIGHT, 1_000_000 + Math.floor(nth / SCENES_OF_A_KIND));
  return sharp(png).jpeg({ quality: 88 }).toBuffer();
}

export function imagesIn(folder: string): Promise<string[]> {
  return filesIn(folder, /\.(jpe?g|png)$/i);
}

async function filesIn(folder: string, kind: RegExp): Promise<string[]> {
  const names = await readdir(folder, { recursive: true });
  return names
    .filter((name) => kind.test(name))
    .sort()
    .map((name) => join(folder, name));
}

function numbers(n: number): number[] {
  return Array.from({ length: n }, (_, nth) => nth);
}

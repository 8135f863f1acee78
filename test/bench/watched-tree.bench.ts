import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Dataset } from '../../src-main/contract/schemas/dataset.ts';
import type { ExploreResult } from '../../src-main/contract/schemas/explore.ts';
import type { Image } from '../../src-main/contract/schemas/image.ts';
import { Api, until } from '../support/api.ts';
import { tinyPng } from '../support/tiny-png.ts';
import { startMeasuredServer } from './measured-server.ts';
import { peakDuring, toMib, totalOf } from './process-memory.ts';
import { startWatching } from './start-watching.ts';
import { round, seconds } from './timing.ts';

/** Number of files in the tree, 100 per folder, a fifth of them images; `VITRINE_BENCH_TREE` overrides it. */
const FILES = Number(process.env.VITRINE_BENCH_TREE ?? 100_000);
const FILES_PER_FOLDER = 100;
const FILES_PER_IMAGE = 5;
const IMAGES = FILES / FILES_PER_IMAGE;
const REWRITTEN_SIDE_PX = 24;
const [REWRITTEN, NEW, DELETED, RENAMED] = [40, 30, 15, 15];
const LIMIT_MS = 3_600_000;

/**
 * Measures watching a large tree: the time until changes are watched, the resources in use, and the time until 100 changes are imported.
 */
export async function measureWatchedTree(folder: string): Promise<unknown> {
  const root = join(folder, 'tree');
  for (let first = 0; first < FILES; first += FILES_PER_FOLDER) {
    await mkdir(join(root, pathOf(first), '..'), { recursive: true });
    const here = Array.from({ length: FILES_PER_FOLDER }, (_, index) => first + index);
    await Promise.all(
      here.map((nth) =>
        nth % FILES_PER_IMAGE === 0
          ? writeFile(join(root, pathOf(nth)), tinyPng(nth))
          : writeFile(join(root, `${pathOf(nth)}.txt`), `notes ${nth}`),
      ),
    );
  }
  const server = await startMeasuredServer(join(folder, 'data'));
  const pid = server.process.pid ?? 0;
  try {
    const api = new Api(server.baseUrl);
    const id = await api.createFromFolder('tree', root);
    const indexS = await seconds(() => api.waitFor(id, 'READY', LIMIT_MS));
    const before = { ...(await heldBy(pid)), memory: await server.memory() };
    let startS = 0;
    const peak = await peakDuring(server.memory, async () => {
      startS = await seconds(() => startWatching(api, id, root));
    });
    const watching = { ...(await heldBy(pid)), memory: await server.memory() };
    const images = await someImages(api, id);
    await server.loopDelay();
    const changesS = await seconds(async () => {
      const rewritten = await change(root, images);
      await until(
        () => api.get<Dataset>(`/dataset/${id}`),
        ({ body }) => body.n_images === IMAGES + NEW - DELETED,
        LIMIT_MS,
      );
      for (const mediaId of rewritten) {
        await until(
          () => api.get<Image>(`/dataset/${id}/image/${mediaId}`),
          ({ body }) => body.width === REWRITTEN_SIDE_PX,
          LIMIT_MS,
        );
      }
    });
    return {
      files: FILES,
      images: IMAGES,
      folders: FILES / FILES_PER_FOLDER,
      index_s: round(indexS),
      until_watching_s: round(startS),
      handles: { before: before.handles, watching: watching.handles },
      kernel_watches: watching.kernel_watches,
      // Between the two samples, only watching starts in the core's process.
      core_memory_mib: {
        before: toMib(before.memory.core ?? 0),
        peak: peak.by_process_mib.core,
        watching: toMib(watching.memory.core ?? 0),
      },
      all_memory_mib: { before: toMib(totalOf(before.memory)), watching: toMib(totalOf(watching.memory)) },
      changes: { files: REWRITTEN + NEW + DELETED + RENAMED, taken_in_s: round(changesS) },
      loop_delay: await server.loopDelay(),
    };
  } finally {
    await server.stop();
  }
}

function pathOf(nth: number): string {
  const folder = Math.floor(nth / FILES_PER_FOLDER);
  return join(`${folder % 10}`, `folder-${folder}`, `dots-${nth}.png`);
}

interface Known {
  nth: number;
  media_id: string;
}

/** Returns the images that are to be changed, with their ids. */
async function someImages(api: Api, id: string): Promise<Known[]> {
  const known = new Map<number, string>();
  for (let page = 0; known.size < REWRITTEN + NEW + DELETED + RENAMED; page += 1) {
    const { body } = await api.get<ExploreResult>(`/explore/${id}?threshold=0&page_number=${page}`);
    for (const { file_name, media_id } of body.clusters.flatMap((cluster) => cluster.previews)) {
      known.set(Number(/(\d+)\.png$/.exec(file_name)?.[1]), media_id);
    }
  }
  return [...known].map(([nth, mediaId]) => ({ nth, media_id: mediaId }));
}

/** Rewrites, adds, deletes and renames some files. Returns the ids of the rewritten images. */
async function change(root: string, images: readonly Known[]): Promise<string[]> {
  const rewritten: string[] = [];
  for (const [index, { nth, media_id }] of images.slice(0, REWRITTEN + NEW + DELETED + RENAMED).entries()) {
    const path = join(root, pathOf(nth));
    if (index < REWRITTEN) {
      await writeFile(path, tinyPng(10_000_000 + nth, REWRITTEN_SIDE_PX));
      rewritten.push(media_id);
    } else if (index < REWRITTEN + NEW) await writeFile(path.replace('.png', '-new.png'), tinyPng(20_000_000 + nth));
    else if (index < REWRITTEN + NEW + DELETED) await rm(path);
    else await rename(path, path.replace('.png', '-renamed.png'));
  }
  return rewritten;
}

/** Returns a process's number of open handles and of folders that the kernel watches for it. Linux only. */
async function heldBy(pid: number): Promise<{ handles: number; kernel_watches: number }> {
  const handles = await readdir(`/proc/${pid}/fd`);
  const details = await Promise.all(handles.map((fd) => readFile(`/proc/${pid}/fdinfo/${fd}`, 'utf8').catch(() => '')));
  const kernelWatches = details.reduce((sum, text) => sum + (text.match(/^inotify /gm)?.length ?? 0), 0);
  return { handles: handles.length, kernel_watches: kernelWatches };
}

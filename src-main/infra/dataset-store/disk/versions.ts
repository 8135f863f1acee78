import { existsSync, statSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { AppError } from '../../../contract/errors.ts';
import type { AdoptedVersion, KeptVersion, RecordRow } from '../../../core/ports/dataset-folders.ts';
import {
  dropDamaged,
  joinPages,
  keepPages,
  namesIn,
  readNames,
  sharePages,
  sweepPages,
} from '../../blocks/kept-pages.ts';
import { PagePacks } from '../../blocks/page-packs.ts';
import { packFormerBlocks } from './former-blocks.ts';
import { type GenerationFile, placeFiles, sharePacks, takeState } from './generation-files.ts';
import { replaceFile } from './replace-file.ts';

/** What a kept state of a generation is made of. */
export interface VersionManifest {
  format: 2;
  /** Append-only and immutable files beside the database. They lie in the version's folder by hard link, so nobody can delete them. */
  files: GenerationFile[];
  /** SHA-256 of the blocks that name those of its database, in order; all of them lie in the dataset's `blocks/`. */
  lists: string[];
  /** What the catalog knew of it when it was made, for the day on which that is lost. */
  about: RecordRow;
}

const MANIFEST = 'manifest.json';

/** Where a dataset keeps versions: `versions/<version>/` and the blocks that all of them share. */
export function versionFolder(datasetFolder: string, versionId: string): string {
  return join(datasetFolder, 'versions', versionId);
}

/**
 * Keeps the state that an open generation has committed by now: what changed since the last kept one is all that it costs. The manifest is
 * written last; without it the version does not exist.
 */
export async function keepVersion(
  generation: { db: Database.Database; folder: string },
  datasetFolder: string,
  versionId: string,
  about: RecordRow,
): Promise<{ n_blocks: number; n_new_blocks: number }> {
  const folder = versionFolder(datasetFolder, versionId);
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const files = await takeState(generation, folder, { growing: 'link' });
  const { lists, ...counts } = await keepPages(join(folder, 'data.db'), blocksFolder(datasetFolder));
  await writeManifest(folder, { format: 2, files, lists, about });
  return counts;
}

/**
 * Writes the database of a kept version alone to a file.
 * @throws AppError as {@link layOutVersion}.
 */
export async function layOutRows(datasetFolder: string, versionId: string, file: string): Promise<void> {
  const manifest = await readManifest(versionFolder(datasetFolder, versionId));
  if (!manifest) throw new AppError('not_found', 'There is no such version');
  await joinPages(manifest.lists, blocksFolder(datasetFolder), file);
}

/**
 * Lays a kept version out as a whole generation in an empty folder.
 * @param onBytes Gets how much of its database is written, and of how much.
 * @throws AppError `not_found` where there is no such version, `storage_failed` where a part of it is missing or damaged.
 */
export async function layOutVersion(
  datasetFolder: string,
  versionId: string,
  toFolder: string,
  onBytes?: (done: number, total: number) => void,
): Promise<void> {
  const folder = versionFolder(datasetFolder, versionId);
  const manifest = await readManifest(folder);
  if (!manifest) throw new AppError('not_found', 'There is no such version');
  const file = join(toFolder, 'data.db');
  await joinPages(manifest.lists, blocksFolder(datasetFolder), file, onBytes);
  placeFiles(manifest.files, folder, toFolder);
  const db = new Database(file);
  try {
    sharePacks(db, manifest.files);
    db.pragma('wal_checkpoint(TRUNCATE)');
  } finally {
    db.close();
  }
}

/**
 * Gives another dataset a version of its own that holds what a version of this one does, by hard link: it costs no space, and neither
 * needs the other from then on.
 * @throws AppError `not_found` where there is no such version, `storage_failed` where a part of it is missing.
 */
export async function shareVersion(
  from: { datasetFolder: string; versionId: string },
  to: { datasetFolder: string; versionId: string; about: RecordRow },
): Promise<void> {
  const [folder, toFolder] = [from, to].map((one) => versionFolder(one.datasetFolder, one.versionId)) as [
    string,
    string,
  ];
  const manifest = await readManifest(folder);
  if (!manifest) throw new AppError('not_found', 'There is no such version');
  await rm(toFolder, { recursive: true, force: true });
  await mkdir(toFolder, { recursive: true });
  placeFiles(
    manifest.files.map((file) => ({ ...file, is_growing: false })),
    folder,
    toFolder,
  );
  await sharePages(manifest.lists, blocksFolder(from.datasetFolder), blocksFolder(to.datasetFolder));
  await writeManifest(toFolder, { ...manifest, about: to.about });
}

/** Deletes a kept version; {@link sweepVersions} deletes the blocks that no other names. */
export async function forgetVersion(datasetFolder: string, versionId: string): Promise<void> {
  const folder = versionFolder(datasetFolder, versionId);
  await rm(join(folder, MANIFEST), { force: true });
  await rm(folder, { recursive: true, force: true });
}

/**
 * Deletes what nothing names: versions that a crash left half done, those that are not wanted any more, and blocks.
 * @param isWanted Of whole versions; all when left out.
 */
export async function sweepVersions(
  datasetFolder: string,
  isWanted: (versionId: string) => boolean = () => true,
): Promise<void> {
  const manifests: VersionManifest[] = [];
  for (const versionId of await listVersionIds(datasetFolder)) {
    const manifest = isWanted(versionId) ? await readManifest(versionFolder(datasetFolder, versionId)) : undefined;
    if (manifest) manifests.push(manifest);
    else await forgetVersion(datasetFolder, versionId);
  }
  const folder = blocksFolder(datasetFolder);
  const packs = await PagePacks.open(folder);
  try {
    const named = await namedBlocks(manifests, packs);
    if (named) await sweepPages(packs, folder, named);
  } finally {
    await packs.close();
  }
}

/** Undefined where a list is damaged: what it named is not known, and all stays. */
async function namedBlocks(
  manifests: readonly VersionManifest[],
  packs: PagePacks,
): Promise<ReadonlySet<string> | undefined> {
  const named = new Set<string>();
  try {
    for (const list of new Set(manifests.flatMap(({ lists }) => lists))) {
      named.add(list);
      for (const name of namesIn(await packs.read(list))) named.add(name);
    }
    return named;
  } catch (error) {
    if (error instanceof AppError && error.code === 'storage_failed') return undefined;
    throw error;
  }
}

/**
 * Reads all that versions are made of. Blocks that are damaged are given up: where the dataset still has the same pages, the next version brings
 * them back.
 * @returns Which of the versions cannot be laid out.
 */
export async function findDamagedVersions(
  datasetFolder: string,
  versionIds: Iterable<string>,
  signal: AbortSignal,
): Promise<string[]> {
  const folder = blocksFolder(datasetFolder);
  const packs = await PagePacks.open(folder);
  try {
    const damaged = await packs.findDamaged(signal);
    const isSound = (name: string) => packs.has(name) && !damaged.has(name);
    const found: string[] = [];
    for (const versionId of versionIds) {
      const manifest = await readManifest(versionFolder(datasetFolder, versionId));
      const isWhole =
        manifest !== undefined &&
        hasFiles(versionFolder(datasetFolder, versionId), manifest) &&
        manifest.lists.every(isSound) &&
        (await readNames(manifest.lists, packs)).every(isSound);
      if (!isWhole) found.push(versionId);
    }
    if (damaged.size > 0) await dropDamaged(packs, folder, damaged);
    return found;
  } finally {
    await packs.close();
  }
}

/** Whether what lies beside the manifest is as long as it must be. */
function hasFiles(folder: string, { files }: VersionManifest): boolean {
  return files.every(({ path, bytes }) => {
    const found = statSync(join(folder, path), { throwIfNoEntry: false });
    return found !== undefined && found.size >= bytes;
  });
}

/** Brings what a former version of the program kept into the form of this one. */
export async function upgradeVersions(datasetFolder: string): Promise<void> {
  const folders = (await listVersionIds(datasetFolder)).map((versionId) => versionFolder(datasetFolder, versionId));
  const manifests = folders.map((folder) => join(folder, MANIFEST)).filter((file) => existsSync(file));
  await packFormerBlocks(blocksFolder(datasetFolder), manifests);
}

/** Gives versions that were copied from another dataset's folder ids of their own. @returns Those that are there. */
export async function adoptVersions(
  datasetFolder: string,
  versions: readonly AdoptedVersion[],
): Promise<AdoptedVersion[]> {
  await upgradeVersions(datasetFolder);
  const adopted: AdoptedVersion[] = [];
  for (const version of versions) {
    const folder = versionFolder(datasetFolder, version.version_id);
    const formerFolder = versionFolder(datasetFolder, version.former_id);
    const manifest = await readManifest(formerFolder);
    if (!manifest) continue;
    await writeManifest(formerFolder, { ...manifest, about: version.about });
    await rename(formerFolder, folder);
    adopted.push(version);
  }
  return adopted;
}

/** The whole versions of a dataset. */
export async function listVersions(datasetFolder: string): Promise<KeptVersion[]> {
  const found: KeptVersion[] = [];
  for (const versionId of await listVersionIds(datasetFolder)) {
    const manifest = await readManifest(versionFolder(datasetFolder, versionId));
    if (manifest) found.push({ version_id: versionId, about: manifest.about });
  }
  return found;
}

async function listVersionIds(datasetFolder: string): Promise<string[]> {
  const root = join(datasetFolder, 'versions');
  return existsSync(root) ? readdir(root) : [];
}

function blocksFolder(datasetFolder: string): string {
  return join(datasetFolder, 'blocks');
}

async function readManifest(folder: string): Promise<VersionManifest | undefined> {
  const file = join(folder, MANIFEST);
  return existsSync(file) ? (JSON.parse(await readFile(file, 'utf8')) as VersionManifest) : undefined;
}

function writeManifest(folder: string, manifest: VersionManifest): Promise<void> {
  return replaceFile(join(folder, MANIFEST), JSON.stringify(manifest));
}

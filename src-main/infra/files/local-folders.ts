import { type Dirent, realpathSync, type Stats } from 'node:fs';
import { access, constants, opendir, readdir, realpath, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AppError } from '../../contract/errors.ts';
import { type Message, message } from '../../contract/messages.ts';
import type { NewFile } from '../../core/ports/dataset-files.ts';
import type { LocalFolders } from '../../core/ports/files.ts';
import type { OpenedFolders } from '../../core/ports/opened-folders.ts';
import { fileKindOf } from './file-kinds.ts';
import { isHiddenName } from './hidden-names.ts';
import { mediaNames } from './media-names.ts';
import { isOwnData, skipOwnData } from './own-folder.ts';
import { readContent } from './read-content.ts';

const BATCH = 500;
/**
 * Maximum number of entries that are checked for media before a dataset is created. Beyond it creation continues, and the run reports when
 * there are no media.
 */
const INSPECT_ENTRIES = 100_000;

/** @param dataFolder The app's own data folder, which is never read as media. */
export function createLocalFolders(dataFolder: string, opened: OpenedFolders): LocalFolders {
  const ownFolder = realpathSync(dataFolder);
  const locate = async (location: string) => {
    const folder = await openableFolder(location, opened);
    if (!isOwnData(folder, ownFolder)) return folder;
    throw new AppError('invalid_request', message('folder_is_data_folder'));
  };
  return {
    inspect: async (location) => {
      const folder = await locate(location);
      let lookedAt = 0;
      for await (const entry of entries(folder, skipOwnData(folder, ownFolder), opened)) {
        lookedAt += 1;
        if (isMedia(entry.file_path) || lookedAt >= INSPECT_ENTRIES) return folder;
      }
      throw new AppError('invalid_request', message('no_media_in_folder'));
    },
    walk: (folder, signal) => walkMedia(folder, signal, skipOwnData(folder, ownFolder), opened),
    locate,
    isThere: async (folder) => {
      try {
        return (await stat(folder)).isDirectory();
      } catch {
        return false;
      }
    },
    isReadable: (path) =>
      access(path, constants.R_OK).then(
        () => true,
        () => false,
      ),
    countFiles: async (folder, filePaths) => {
      const found = await Promise.all(filePaths.map((filePath) => kindOfPath(join(folder, filePath))));
      return found.filter((kind) => kind === 'file').length;
    },
    readContent,
    list: async (location) => {
      const open = opened.list();
      if (location === undefined && open !== null) return listOpened(open);
      const path = await openableFolder(location ?? homedir(), opened);
      const found = (await readdir(path, { withFileTypes: true })).filter((entry) => !isHiddenName(entry.name));
      const folders = found
        .filter((entry) => entry.isDirectory())
        .map((entry) => ({ name: entry.name, path: join(path, entry.name) }))
        .sort((a, b) => a.name.localeCompare(b.name, undefined, { numeric: true }));
      const parent = dirname(path);
      return {
        path,
        parent: parent === path ? null : (await opened.isOpen(parent)) ? parent : '',
        folders,
        n_media: found.filter((entry) => isMedia(entry.name)).length,
      };
    },
  };
}

/** Folders at which browsing starts on a server. @throws AppError `forbidden` when no folder is open to users. */
function listOpened(opened: readonly string[]): Awaited<ReturnType<LocalFolders['list']>> {
  if (opened.length === 0) {
    throw new AppError('forbidden', message('no_folder_open'));
  }
  return { path: '', parent: null, folders: opened.map((path) => ({ name: path, path })), n_media: 0 };
}

/**
 * The canonical absolute path of a readable file.
 * @throws AppError `invalid_request` with the location's problem; `forbidden`.
 */
export async function readLocation(location: string, opened: OpenedFolders): Promise<string> {
  const path = await opened.resolve(await absolutePath(location));
  try {
    await access(path, constants.R_OK);
    if ((await stat(path)).isFile()) return await realpath(path);
  } catch (error) {
    throw new AppError('invalid_request', whyNot(error, 'file'));
  }
  throw new AppError('invalid_request', message('path_is_folder'));
}

/** Spaces at the end belong to the name if such a file or folder exists; otherwise they are removed as a typing error. */
async function absolutePath(location: string): Promise<string> {
  const path = toPath(location);
  if (!isAbsolute(path)) throw new AppError('invalid_request', message('path_not_absolute'));
  if (path.includes('\0')) throw new AppError('invalid_request', message('path_invalid'));
  const typed = path.trimEnd();
  if (typed === path) return path;
  return access(path).then(
    () => path,
    () => typed,
  );
}

/** @throws AppError `invalid_request` with the location's problem; `forbidden`. */
async function openableFolder(location: string, opened: OpenedFolders): Promise<string> {
  const path = await opened.resolve(await absolutePath(location));
  let found: Stats;
  try {
    found = await stat(path);
  } catch (error) {
    throw new AppError('invalid_request', whyNot(error));
  }
  if (!found.isDirectory()) throw new AppError('invalid_request', message('path_is_file'));
  try {
    await access(path, constants.R_OK | constants.X_OK);
    return await realpath(path);
  } catch (error) {
    throw new AppError('invalid_request', whyNot(error));
  }
}

function toPath(location: string): string {
  if (!/^file:/i.test(location)) return location;
  try {
    return fileURLToPath(location);
  } catch {
    throw new AppError('invalid_request', message('file_url_invalid'));
  }
}

function whyNot(error: unknown, what: 'folder' | 'file' = 'folder'): Message {
  const code = error instanceof Error && 'code' in error ? error.code : '';
  if (code === 'ENOENT') return message(`${what}_not_found`);
  if (code === 'ENOTDIR') return message('path_not_folder');
  if (code === 'EACCES' || code === 'EPERM') return message(`${what}_access_denied`);
  if (code === 'ELOOP') return message(`${what}_link_loop`);
  if (code === 'ENAMETOOLONG') return message('path_too_long');
  return message(`${what}_cannot_be_read`);
}

/** Bytes of a name that are not UTF-8 are replaced when the name is read; no file is found by the result. */
function whyNotBelow(filePath: string, error: unknown, what: 'folder' | 'file' = 'folder'): Message {
  return filePath.includes('\uFFFD') ? message('file_name_not_utf8') : whyNot(error, what);
}

/**
 * See {@link LocalFolders.walk}.
 * @param skip Whether a path below the folder is skipped, with everything below it.
 * @param opened Links that lead outside these folders are not followed.
 */
export async function* walkMedia(
  folder: string,
  signal: AbortSignal,
  skip: (filePath: string) => boolean,
  opened: OpenedFolders,
): AsyncGenerator<NewFile[]> {
  let batch: NewFile[] = [];
  if (!(await opened.isOpen(folder))) throw new AppError('storage_failed', message('folder_closed'));
  try {
    await opendir(folder).then((opened) => opened.close());
  } catch (error) {
    throw new AppError('storage_failed', whyNot(error));
  }
  for await (const entry of entries(folder, skip, opened)) {
    signal.throwIfAborted();
    if (entry.problem === undefined && fileKindOf(entry.file_path) === undefined) continue;
    batch.push(await describeEntry(folder, entry));
    if (batch.length < BATCH) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

const NO_FILE = {
  broken: message('link_broken'),
  other: message('file_is_device'),
  closed: message('link_leads_out'),
} as const;

interface Entry {
  file_path: string;
  problem?: Message;
}

/**
 * Yields files below a folder, depth first. A folder is entered once, however many links lead to it, and by its own path if that is below
 * the
 * root: links are followed last. Dangling links, pipes and devices are reported when they are named like media files.
 */
async function* entries(
  root: string,
  skip: (filePath: string) => boolean,
  opened: OpenedFolders,
): AsyncGenerator<Entry> {
  const links: string[] = [];
  const walk = { visited: new Set<string>(), links, skip, opened };
  yield* entriesOf(root, '', walk);
  for (const link of links) yield* entriesOf(root, link, walk);
}

interface Walk {
  visited: Set<string>;
  /** Links to folders that are not yet followed. */
  links: string[];
  skip: (filePath: string) => boolean;
  opened: OpenedFolders;
}

async function* entriesOf(root: string, below: string, walk: Walk): AsyncGenerator<Entry> {
  const folder = join(root, below);
  try {
    const key = await identity(folder);
    if (walk.visited.has(key)) return;
    walk.visited.add(key);
    for await (const entry of await opendir(folder, { bufferSize: 256 })) {
      if (isHiddenName(entry.name)) continue;
      const filePath = below === '' ? entry.name : `${below}/${entry.name}`;
      if (walk.skip(filePath)) continue;
      const kind = await kindOf(join(folder, entry.name), entry, walk.opened);
      if (kind === 'folder' && entry.isSymbolicLink()) walk.links.push(filePath);
      else if (kind === 'folder') yield* entriesOf(root, filePath, walk);
      else if (kind === 'file') yield { file_path: filePath };
      else if (isMedia(entry.name) || kind === 'closed') yield { file_path: filePath, problem: NO_FILE[kind] };
    }
  } catch (error) {
    yield { file_path: below === '' ? '.' : below, problem: whyNotBelow(below, error) };
  }
}

async function kindOf(
  path: string,
  entry: Dirent,
  opened: OpenedFolders,
): Promise<'folder' | 'file' | 'broken' | 'other' | 'closed'> {
  if (entry.isDirectory()) return 'folder';
  if (entry.isFile()) return 'file';
  if (!entry.isSymbolicLink()) return 'other';
  try {
    const target = await stat(path);
    if (!(await opened.isOpen(path))) return 'closed';
    if (target.isDirectory()) return 'folder';
    return target.isFile() ? 'file' : 'other';
  } catch {
    return 'broken';
  }
}

async function kindOfPath(path: string): Promise<'file' | 'other'> {
  try {
    return (await stat(path)).isFile() ? 'file' : 'other';
  } catch {
    return 'other';
  }
}

async function identity(folder: string): Promise<string> {
  const { dev, ino } = await stat(folder, { bigint: true });
  // Some file systems have no inode numbers; there the real path identifies a folder.
  return ino === 0n ? realpath(folder) : `${dev}:${ino}`;
}

async function describeEntry(root: string, entry: Entry): Promise<NewFile> {
  const kind = fileKindOf(entry.file_path) ?? 'image';
  const file = { file_path: entry.file_path, location: entry.file_path, kind, size_bytes: 0, mtime_ms: 0 };
  if (entry.problem !== undefined) return { ...file, problem: { kind: 'unreadable', reason: entry.problem } };
  try {
    const { size, mtimeMs } = await stat(join(root, entry.file_path));
    return { ...file, size_bytes: size, mtime_ms: mtimeMs };
  } catch (error) {
    const reason = whyNotBelow(entry.file_path, error, 'file');
    return { ...file, problem: { kind: 'unreadable', reason } };
  }
}

function isMedia(filePath: string): boolean {
  return mediaNames.isImage(filePath) || mediaNames.isVideo(filePath);
}

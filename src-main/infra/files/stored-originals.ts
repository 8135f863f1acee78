import { createHash, randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream, type Stats } from 'node:fs';
import { copyFile, mkdir, readdir, rename, rm, rmdir, stat } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { StoredOriginal, StoredOriginals } from '../../core/ports/files.ts';
import type { Pace } from '../../core/ports/read-limits.ts';
import { setAside } from '../set-aside.ts';
import { pacedChecksumOf } from './file-checksum.ts';
import { createPace } from './read-pace.ts';

interface HandedOver {
  path: string;
  file_name: string;
  owned: boolean;
}

/** Stores uploaded originals as `media/<batch>/<ab>/<sha256>.<ext>` below the data folder. */
export function createStoredOriginals(dataFolder: string): StoredOriginals {
  const root = (batchId: string) => `media/${batchId}`;
  const remove = (batchId: string) =>
    rm(join(dataFolder, root(batchId)), { recursive: true, force: true, maxRetries: 3 });
  const arriving = new Map<string, Promise<StoredOriginal>>();
  /** Path for an incomplete file: the next start deletes such files when the process is killed. */
  const newPartial = async () => {
    const temporary = join(dataFolder, 'temporary');
    await mkdir(temporary, { recursive: true });
    return join(temporary, `${randomUUID()}.partial`);
  };

  /** Stores a file under its hash. Files with the same content are processed one after the other. */
  const store = async (folder: string, hash: string, file: HandedOver): Promise<StoredOriginal> => {
    const location = `${hash.slice(0, 2)}/${hash}${safeExtension(file.file_name)}`;
    const target = join(folder, location);
    for (let other = arriving.get(target); other; other = arriving.get(target)) await Promise.allSettled([other]);
    const arrival = putInPlace(target, location, file, newPartial);
    arriving.set(target, arrival);
    try {
      return await arrival;
    } finally {
      arriving.delete(target);
    }
  };

  return {
    root,
    keep: async (batchId, file) => {
      const hash = file.content_hash ?? (await sha256(file.path));
      return store(join(dataFolder, root(batchId)), hash, file);
    },
    keepStream: async (batchId, content, fileName) => {
      const folder = join(dataFolder, root(batchId));
      const path = await newPartial();
      try {
        const hash = createHash('sha256');
        content.on('data', (bytes: Buffer) => hash.update(bytes));
        await pipeline(content, createWriteStream(path));
        return await store(folder, hash.digest('hex'), { path, file_name: fileName, owned: true });
      } catch (error) {
        await rm(path, { force: true });
        throw error;
      }
    },
    take: async (batchId, file, name) => {
      const folder = join(dataFolder, root(batchId));
      await mkdir(folder, { recursive: true });
      await moveOrCopy(file, join(folder, name), newPartial);
    },
    remove,
    removeFiles: async (batchId, locations) => {
      const folder = join(dataFolder, root(batchId));
      for (const location of locations) await rm(join(folder, location), { force: true });
      for (const parent of new Set(locations.map((location) => dirname(location)))) {
        await removeIfEmpty(join(folder, parent));
      }
    },
    list: () => readdir(join(dataFolder, 'media')),
    listDamaged: async (batchId, limits) => {
      const pace = createPace(limits);
      const folder = join(dataFolder, root(batchId));
      const damaged: string[] = [];
      for (const room of await readdir(folder).catch(() => [])) {
        for (const name of /^[0-9a-f]{2}$/.test(room) ? await readdir(join(folder, room)) : []) {
          const expected = /^[0-9a-f]{64}/.exec(name)?.[0];
          if (expected === undefined) continue;
          if (await isDamaged(join(folder, room, name), expected, pace))
            damaged.push(`${root(batchId)}/${room}/${name}`);
          limits.signal.throwIfAborted();
        }
      }
      return damaged;
    },
    setAside: async (batchId) => {
      const folder = join(dataFolder, root(batchId));
      const entries = await readdir(folder, { recursive: true, withFileTypes: true });
      if (entries.some((entry) => !entry.isDirectory())) return setAside(dataFolder, folder, 'media');
      await remove(batchId);
      return undefined;
    },
  };
}

/** Moves or copies a file to its final path; existing content is not replaced. */
async function putInPlace(
  target: string,
  location: string,
  file: HandedOver,
  newPartial: () => Promise<string>,
): Promise<StoredOriginal> {
  const known = await statIfAny(target);
  if (known) {
    if (file.owned) await rm(file.path, { force: true });
    return { location, size_bytes: known.size, mtime_ms: known.mtimeMs };
  }
  try {
    await moveOrCopy(file, target, newPartial);
  } catch (error) {
    // The folder nearly always exists: a batch has only 256 of them.
    if (!isMissing(error)) throw error;
    await mkdir(dirname(target), { recursive: true });
    await moveOrCopy(file, target, newPartial);
  }
  const { size, mtimeMs } = await stat(target);
  return { location, size_bytes: size, mtime_ms: mtimeMs };
}

/** Moves or copies a file. A copy appears under its final name only when it is complete. */
async function moveOrCopy(
  from: Pick<HandedOver, 'path' | 'owned'>,
  to: string,
  newPartial: () => Promise<string>,
): Promise<void> {
  if (from.owned) {
    await rename(from.path, to);
    return;
  }
  const partial = await newPartial();
  try {
    await copyFile(from.path, partial);
    await rename(partial, to);
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
}

async function sha256(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}

async function isDamaged(path: string, expectedHash: string, pace: Pace): Promise<boolean> {
  try {
    return (await pacedChecksumOf(path, pace)) !== expectedHash;
  } catch (error) {
    // A file that was deleted meanwhile was not damaged.
    return !isMissing(error);
  }
}

/** Returns the extension of a name if it has only plain characters, so that programs that open the folder know the file type. */
function safeExtension(fileName: string): string {
  const extension = extname(basename(fileName)).toLowerCase();
  return /^\.[a-z0-9]{1,8}$/.test(extension) ? extension : '';
}

async function removeIfEmpty(folder: string): Promise<void> {
  try {
    await rmdir(folder);
  } catch (error) {
    // Windows reports EPERM or EACCES for a folder that is not empty.
    const expected = ['ENOTEMPTY', 'EEXIST', 'ENOENT', 'EPERM', 'EACCES'];
    if (!(error instanceof Error && 'code' in error && expected.includes(String(error.code)))) throw error;
  }
}

async function statIfAny(path: string): Promise<Stats | undefined> {
  try {
    return await stat(path);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

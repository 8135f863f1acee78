import { lstat, mkdir, readdir, readFile, rename, rm } from 'node:fs/promises';
import { homedir, userInfo } from 'node:os';
import { basename, dirname, join, parse, relative } from 'node:path';

/*
 * The trash of Linux desktops by the freedesktop.org trash specification 1.0: a folder with `files`, and with `info`, which has the
 * previous path of each file. Files of another file system are in a trash at its mount point, with paths relative to that.
 */

interface Trash {
  folder: string;
  /** Folder that the paths in `info` are relative to. They are absolute in the user's own trash. */
  top: string;
}

/**
 * Moves the file that was last trashed from a path back to it. Resolves to whether there was one; never replaces a file.
 * @throws Error of the file system.
 */
export async function restoreFromTrash(path: string, environment: NodeJS.ProcessEnv = process.env): Promise<boolean> {
  if (await exists(path)) return false;
  for (const trash of trashesOf(path, environment)) {
    const info = await lastInfo(trash, path);
    if (info === undefined) continue;
    await mkdir(dirname(path), { recursive: true });
    await rename(join(trash.folder, 'files', basename(info, '.trashinfo')), path);
    await rm(info);
    return true;
  }
  return false;
}

/** The user's own trash, then those that a mount point above the path may have. */
function trashesOf(path: string, environment: NodeJS.ProcessEnv): Trash[] {
  const home = environment.HOME ?? homedir();
  const { uid } = userInfo();
  const trashes = [{ folder: join(environment.XDG_DATA_HOME || join(home, '.local', 'share'), 'Trash'), top: '/' }];
  for (let top = dirname(path); ; top = dirname(top)) {
    trashes.push({ folder: join(top, '.Trash', String(uid)), top }, { folder: join(top, `.Trash-${uid}`), top });
    if (top === dirname(top)) return trashes;
  }
}

/** The newest information file about a path whose file is still in the trash. */
async function lastInfo({ folder, top }: Trash, path: string): Promise<string | undefined> {
  const names = await readdir(join(folder, 'info')).catch(() => []);
  // If the name of a file is taken in the trash, a number follows its stem.
  const likely = names.filter((name) => name.endsWith('.trashinfo') && name.startsWith(parse(path).name));
  const found: { file: string; date: string }[] = [];
  for (const name of likely) {
    const file = join(folder, 'info', name);
    const text = await readFile(file, 'utf8').catch(() => '');
    const written = /^Path=(.*)$/m.exec(text)?.[1];
    const isOfPath = written !== undefined && decoded(written) === (top === '/' ? path : relative(top, path));
    if (isOfPath && (await exists(join(folder, 'files', basename(name, '.trashinfo'))))) {
      found.push({ file, date: /^DeletionDate=(.*)$/m.exec(text)?.[1] ?? '' });
    }
  }
  return found.toSorted((a, b) => a.date.localeCompare(b.date)).at(-1)?.file;
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

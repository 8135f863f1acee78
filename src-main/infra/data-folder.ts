import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { AppError } from '../contract/errors.ts';
import { lockFiles } from './sqlite/file-lock.ts';

/** Enough for the few pages that SQLite appends when a task is marked failed, and for those that a start writes. */
const RESERVE_BYTES = 1024 * 1024;

/** Where data lives when nobody says otherwise: the platform's place for application data. */
export function defaultDataFolder(platform: NodeJS.Platform, environment: NodeJS.ProcessEnv): string {
  if (platform === 'win32') return join(environment.APPDATA ?? join(homedir(), 'AppData', 'Roaming'), 'Vitrine');
  if (platform === 'darwin') return join(homedir(), 'Library', 'Application Support', 'Vitrine');
  return join(environment.XDG_DATA_HOME || join(homedir(), '.local', 'share'), 'vitrine');
}

/** Folders inside the data folder. */
export interface DataFolder {
  root: string;
  datasets: string;
  media: string;
  models: string;
  temporary: string;
  /** Removes what requests of an earlier run left in `temporary`. */
  emptyTemporary(): Promise<void>;
  /**
   * Space kept for the moment when the disk is full, so that the failure itself can still be written down.
   * It is given up when the folder is opened, so that a start finds room: set it aside after that.
   */
  reserve: {
    giveUp(): void;
    /** Keeps it again, where there is room. */
    setAside(): void;
  };
  /** Says where the server of this folder answers, for commands that find the folder in use. */
  announce(address: ServerAddress): void;
  /** Lets another process use the folder. */
  release(): void;
}

const ADDRESS = 'address';

/** How a command reaches the server that uses a data folder. */
export interface ServerAddress {
  base_url: string;
  /** Proves that the command can read the folder. */
  key: string;
  /** Of a server over TLS: PEM text. */
  certificate: string | null;
}

/** Undefined where no server uses the folder, or it does not say. */
export function addressOf(root: string): ServerAddress | undefined {
  const file = join(root, ADDRESS);
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as ServerAddress) : undefined;
}

/** What a folder holds into which a backup is being laid out: it is no data folder before that is done. */
export const RESTORING = 'restoring.json';

/**
 * Makes the folders and takes the data folder for this process.
 * @throws AppError `unavailable` when another process has it or it is not wholly restored, `storage_failed` when it cannot be written.
 */
export function openDataFolder(root: string): DataFolder {
  if (existsSync(join(root, RESTORING))) {
    throw new AppError('unavailable', 'A backup was not wholly restored into this data folder. Run the restore again.');
  }
  const folders = {
    root,
    datasets: join(root, 'datasets'),
    media: join(root, 'media'),
    models: join(root, 'models'),
    temporary: join(root, 'temporary'),
  };
  try {
    // Hashes of passwords and all media lie in it: other accounts of the machine do not read one that is made here.
    for (const folder of Object.values(folders)) mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new AppError('storage_failed', `The data folder cannot be made or written: ${reasonOf(error)}`);
  }
  // Held twice: a person who takes the first for a leftover and deletes it would let a second process in.
  const lock = lockFiles([join(root, 'lock'), join(folders.models, '.lock')], 'data folder');
  // Of a server that was killed.
  const address = join(root, ADDRESS);
  rmSync(address, { force: true });
  const reserve = join(root, 'reserve');
  rmSync(reserve, { force: true });
  return {
    ...folders,
    emptyTemporary: async () => {
      await rm(folders.temporary, { recursive: true, force: true });
      await mkdir(folders.temporary, { recursive: true });
    },
    reserve: {
      giveUp: () => rmSync(reserve, { force: true }),
      setAside: () => setReserveAside(reserve),
    },
    announce: (said) => writeFileSync(address, JSON.stringify(said), { mode: 0o600 }),
    release: () => {
      rmSync(address, { force: true });
      lock.release();
    },
  };
}

/** A disk that has no room even for this will be met, and told of, by whatever writes next. */
function setReserveAside(file: string): void {
  if (existsSync(file)) return;
  try {
    writeFileSync(file, Buffer.alloc(RESERVE_BYTES, 1));
  } catch {
    rmSync(file, { force: true });
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

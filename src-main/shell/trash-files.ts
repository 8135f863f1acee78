import { realpath } from 'node:fs/promises';
import { sep } from 'node:path';
import { type IpcMain, type IpcMainInvokeEvent, shell } from 'electron';
import { restoreFromTrash } from './linux-trash.ts';

/** Channel by which a page moves the files of items to the trash and back, named by the signed addresses of their originals. */
const TRASH_CHANNEL = 'vitrine:trash-file';
/** Maximum number of moved files that can be moved back. */
const MAX_REMEMBERED = 100_000;

/** `no_file`: the item has no file of its own outside the app's data. `failed`: the system refused. */
type TrashResult = 'done' | 'no_file' | 'failed';

interface TrashOptions {
  ipc: IpcMain;
  isTrustedSender: (event: IpcMainInvokeEvent) => boolean;
  /** Path of the file behind an address; undefined if it has none of its own. */
  locate: (address: string) => Promise<string | undefined>;
  /** Its files are never moved: uploads and frames may belong to several datasets. */
  dataFolder: string;
}

/**
 * Moves files of items to the system's trash, and back where the system allows it (Linux). Only the files that this app moved since its
 * start can be moved back.
 */
export function handleTrash({ ipc, isTrustedSender, locate, dataFolder }: TrashOptions): void {
  /** Paths of moved files by address. */
  const moved = new Map<string, string>();

  const move = async (address: string): Promise<TrashResult> => {
    const path = await locate(address);
    if (path === undefined || (await isInside(path, dataFolder))) return 'no_file';
    await shell.trashItem(path);
    moved.set(address, path);
    const [oldest] = moved.keys();
    if (moved.size > MAX_REMEMBERED && oldest !== undefined) moved.delete(oldest);
    return 'done';
  };
  const restore = async (address: string): Promise<TrashResult> => {
    const path = moved.get(address);
    if (path === undefined || process.platform !== 'linux') return 'no_file';
    if (!(await restoreFromTrash(path))) return 'no_file';
    moved.delete(address);
    return 'done';
  };

  ipc.handle(TRASH_CHANNEL, async (event, action: unknown, address: unknown): Promise<TrashResult> => {
    if (!isTrustedSender(event) || typeof address !== 'string') return 'no_file';
    try {
      if (action === 'move') return await move(address);
      return action === 'restore' ? await restore(address) : 'no_file';
    } catch {
      // For example, a file without permission to delete it, or a drive without a trash.
      return 'failed';
    }
  });
}

/** Whether a path is in a folder, with links resolved. A file that cannot be found counts as inside. */
async function isInside(path: string, folder: string): Promise<boolean> {
  try {
    return (await realpath(path)).startsWith((await realpath(folder)) + sep);
  } catch {
    return true;
  }
}

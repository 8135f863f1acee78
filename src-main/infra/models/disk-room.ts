import { statfs } from 'node:fs/promises';
import { AppError, DISK_FULL, isDiskFull } from '../../contract/errors.ts';
import { message } from '../../contract/messages.ts';

/** Bytes of free disk space that are reserved, so that databases can still be written. */
const SPARE_BYTES = 64 * 1024 * 1024;

/** Checks the free disk space. @throws AppError `disk_full` when the disk of a folder has too little. */
export async function ensureRoomFor(folder: string, neededBytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  const freeBytes = Math.max(0, bavail * bsize - SPARE_BYTES);
  if (neededBytes <= freeBytes) return;
  const [needed, free] = [readable(neededBytes), readable(freeBytes)];
  throw new AppError('disk_full', message('model_needs_room', { needed, free }));
}

/** Turns disk errors into errors that a user can read. */
export async function onDisk<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof AppError) throw error;
    if (isDiskFull(error)) throw new AppError('disk_full', DISK_FULL);
    const code = error instanceof Error && 'code' in error ? error.code : '';
    if (code === 'EACCES' || code === 'EPERM') {
      throw new AppError('storage_failed', message('model_files_denied'));
    }
    throw error;
  }
}

function readable(bytes: number): string {
  return bytes < 1e9 ? `${Math.ceil(bytes / 1e6)} MB` : `${(bytes / 1e9).toFixed(1)} GB`;
}

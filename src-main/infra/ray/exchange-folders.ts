import { randomUUID } from 'node:crypto';
import { copyFile, mkdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { AppError, isDiskFull } from '../../contract/errors.ts';
import { message } from '../../contract/messages.ts';
import type { LocalFolders } from '../../core/ports/files.ts';
import type { OpenedFolders } from '../../core/ports/opened-folders.ts';
import type { ExchangeFolders } from '../../core/ports/ray.ts';
import type { ObjectStorage } from '../storage/s3-storage.ts';
import { parseS3Uri } from '../storage/s3-uri.ts';

interface Parts {
  folders: Pick<LocalFolders, 'locate'>;
  opened: OpenedFolders;
  storage: Pick<ObjectStorage, 'storeObject'>;
}

/** Writes files for a cluster into a folder that both share, or into object storage. */
export function createExchangeFolders({ folders, opened, storage }: Parts): ExchangeFolders {
  return {
    open: async ({ location, assume_role }) => {
      if (/^s3:/i.test(location)) {
        const { bucket, key } = parseS3Uri(location.trimEnd());
        const prefix = key === '' || key.endsWith('/') ? key : `${key}/`;
        return {
          addressOf: (name) => `s3://${bucket}/${prefix}${name}`,
          store: (name, path, signal) =>
            storage.storeObject({ bucket, key: `${prefix}${name}` }, path, {
              assumeRole: assume_role ?? undefined,
              signal,
            }),
        };
      }
      const folder = await folders.locate(location);
      return {
        addressOf: (name) => join(folder, name),
        store: async (name, path, signal) => {
          signal.throwIfAborted();
          // The path may contain a link that leads out of the opened folders.
          await replaceFile(path, await opened.resolve(join(folder, name)));
        },
      };
    },
  };
}

/** Copies a file to a path, where it appears complete. */
async function replaceFile(from: string, to: string): Promise<void> {
  const incomplete = `${to}.${randomUUID()}`;
  try {
    await mkdir(dirname(to), { recursive: true });
    await copyFile(from, incomplete);
    await rename(incomplete, to);
  } catch (error) {
    await rm(incomplete, { force: true });
    if (isDiskFull(error)) throw error;
    throw new AppError('storage_failed', message('exchange_folder_unwritable'));
  }
}

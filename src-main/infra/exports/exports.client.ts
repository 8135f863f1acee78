import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { DatasetStores } from '../../core/ports/dataset-store.ts';
import type { ExportRequest, Exports, ExportWork, MadeExport } from '../../core/ports/exports.ts';
import type { Log } from '../../core/ports/log.ts';
import { GenerationFolders } from '../dataset-store/disk/generation-folders.ts';
import type { Claims } from '../giving-way/claims.ts';
import { SEMI_SPACE_LIMIT } from '../semi-space.ts';
import { Thread } from '../threads/thread.ts';
import { callsOf, serve } from '../threads/thread-port.ts';
import { EXPORT, EXPORT_OWNER, type ExportStart } from './export-messages.ts';

const SUFFIX = '.zip';
/** Suffix of a file that is being written. */
const PARTIAL = '.part';

export interface ExportsParts {
  /** Path of the built worker. */
  entryFile: string;
  dataFolder: string;
  stores: Pick<DatasetStores, 'open'>;
  claims: Pick<Claims, 'memory'>;
  log: Log;
}

/** Creates the exports. Every export runs in a thread of its own: [Note: Moment of an export]. */
export function createExports({ entryFile, dataFolder, stores, claims, log }: ExportsParts): Exports {
  const folder = join(dataFolder, 'exports');
  const generations = new GenerationFolders(join(dataFolder, 'datasets'));
  const pathOf = (exportId: string) => join(folder, `${exportId}${SUFFIX}`);

  const writeTo = async (file: string, request: ExportRequest, work: ExportWork): Promise<MadeExport> => {
    const { signal, urlsOf, onProgress } = work;
    const { dataset_id, generation } = request;
    signal.throwIfAborted();
    // Migrates the files of the dataset before they are opened here.
    await stores.open(dataset_id, generation).edits.listTags();
    const thread = new Thread({
      entryFile,
      name: 'export',
      workerData: (): ExportStart => ({
        location: { dataset_id, dataFolder, folder: generations.path(dataset_id, generation), parquetEntryFile: '' },
        file,
        request,
        claimed: claims.memory,
      }),
      resourceLimits: SEMI_SPACE_LIMIT,
      methods: serve(EXPORT_OWNER, { urlsOf: async (requested) => urlsOf(requested), report: onProgress }),
      onFailure: (error) => log.error({ err: error, dataset_id }, 'the thread of an export failed'),
    });
    const end = () => void thread.end();
    signal.addEventListener('abort', end, { once: true });
    try {
      return await callsOf(EXPORT, thread).write();
    } catch (error) {
      await rm(file, { force: true });
      throw error;
    } finally {
      signal.removeEventListener('abort', end);
      await thread.end();
    }
  };

  return {
    pathOf,
    writeTo,
    write: async (exportId, request, work) => {
      await mkdir(folder, { recursive: true });
      const partial = `${pathOf(exportId)}${PARTIAL}`;
      const made = await writeTo(partial, request, work);
      work.signal.throwIfAborted();
      await rename(partial, pathOf(exportId));
      return made;
    },
    remove: async (exportId) => {
      await rm(pathOf(exportId), { force: true });
      await rm(`${pathOf(exportId)}${PARTIAL}`, { force: true });
    },
    keepOnly: async (isKept) => {
      const there = new Set<string>();
      for (const name of await readdir(folder).catch(() => [])) {
        const [exportId = ''] = name.split('.');
        if (!isKept(exportId)) await rm(join(folder, name), { recursive: true, force: true });
        else if (name.endsWith(SUFFIX)) there.add(exportId);
      }
      return there;
    },
  };
}

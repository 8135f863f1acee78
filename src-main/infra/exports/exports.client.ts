import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { DatasetStores } from '../../core/ports/dataset-store.ts';
import type { ExportRequest, Exports, ExportWork, MadeExport } from '../../core/ports/exports.ts';
import type { Log } from '../../core/ports/log.ts';
import { GenerationFolders } from '../dataset-store/disk/generation-folders.ts';
import type { Claims } from '../giving-way/claims.ts';
import { SEMI_SPACE_LIMIT } from '../semi-space.ts';
import { Spare } from '../threads/spare.ts';
import { Thread } from '../threads/thread.ts';
import { callsOf, serve } from '../threads/thread-port.ts';
import { EXPORT, EXPORT_OWNER } from './export-messages.ts';

const SUFFIX = '.zip';
/** Suffix of a file that is being written. */
const PARTIAL = '.part';
/** Milliseconds after which a thread without an export ends. */
const IDLE_MS = 10_000;

export interface ExportsParts {
  /** Path of the built worker. */
  entryFile: string;
  dataFolder: string;
  stores: Pick<DatasetStores, 'open'>;
  claims: Pick<Claims, 'memory'>;
  log: Log;
}

/** Creates the exports. A thread writes one export at a time: [Note: Moment of an export]. */
export function createExports({ entryFile, dataFolder, stores, claims, log }: ExportsParts): Exports {
  const folder = join(dataFolder, 'exports');
  const generations = new GenerationFolders(join(dataFolder, 'datasets'));
  const pathOf = (exportId: string) => join(folder, `${exportId}${SUFFIX}`);

  /** Export that each thread is writing. */
  const works = new Map<Thread, ExportWork>();
  const start = (): Thread => {
    const thread: Thread = new Thread({
      entryFile,
      name: 'export',
      resourceLimits: SEMI_SPACE_LIMIT,
      methods: serve(EXPORT_OWNER, {
        urlsOf: async (requested) => works.get(thread)?.urlsOf(requested) ?? [],
        report: (done, total) => works.get(thread)?.onProgress(done, total),
      }),
      onFailure: (error) => log.error({ err: error }, 'a thread that writes exports failed'),
    });
    return thread;
  };
  const spare = new Spare(start, IDLE_MS);

  const writeTo = async (file: string, request: ExportRequest, work: ExportWork): Promise<MadeExport> => {
    const { signal } = work;
    const { dataset_id, generation } = request;
    signal.throwIfAborted();
    // Migrates the files of the dataset before they are opened here.
    await stores.open(dataset_id, generation).edits.listTags();
    const location = { dataset_id, dataFolder, folder: generations.path(dataset_id, generation), parquetEntryFile: '' };
    const thread = spare.take();
    const end = () => void thread.end();
    signal.addEventListener('abort', end, { once: true });
    works.set(thread, work);
    const written = callsOf(EXPORT, thread)
      .write({ location, file, request, claimed: claims.memory })
      .finally(() => {
        works.delete(thread);
        signal.removeEventListener('abort', end);
      });
    try {
      const made = await written;
      await spare.putBack(thread);
      return made;
    } catch (error) {
      await thread.end();
      await rm(file, { force: true });
      throw error;
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

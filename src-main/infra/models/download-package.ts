import { mkdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { AppError } from '../../contract/errors.ts';
import { message } from '../../contract/messages.ts';
import type { PackageDefinition } from '../../contract/schemas/model-definition.ts';
import type { LocalJobs } from '../../core/ports/local-jobs.ts';
import type { DownloadOptions, InstalledPackage } from '../../core/ports/model-store.ts';
import { createGuardedRequests } from '../storage/guarded-request.ts';
import { copyBundled } from './bundled-files.ts';
import { onDisk } from './disk-room.ts';
import { type FetchSettings, fetchModelFile } from './fetch-model-file.ts';
import { readOnnx } from './onnx-reader.ts';
import {
  type FileRecord,
  type PackageContents,
  readJson,
  settlePackage,
  writeContent,
  writeJson,
} from './package-folder.ts';
import { splitPackage } from './split-package.ts';

export interface ModelDownloader {
  /** See {@link ModelStore.download}. */
  download(contents: PackageContents, options: DownloadOptions): Promise<InstalledPackage>;
  close(): void;
}

/** State of a package's download, stored beside its files. */
const downloadState = z.object({
  files: z.record(
    z.string(),
    z.object({
      /** ETag of the bytes received so far. */
      etag: z.string().optional(),
      /** Set when the file is complete. */
      size_bytes: z.int().optional(),
      sha256: z.string().optional(),
    }),
  ),
});
type DownloadState = z.infer<typeof downloadState>;

const STATE_FILE = '.state.json';
const DEFAULT_REVISION = 'main';

/**
 * Downloads packages file by file into `<downloads_folder>/<package>`, and moves them to `packages_folder` when complete. Files in
 * `<bundled_folder>/<package>` are copied.
 */
export function createModelDownloader(
  settings: FetchSettings & { splitEncoder: LocalJobs['splitEncoder'] },
  places: { downloads_folder: string; packages_folder: string; bundled_folder: string; known_hashes_file: string },
): ModelDownloader {
  const { splitEncoder } = settings;
  // The hub is an address that the user sets, possibly in a private network.
  const requests = createGuardedRequests(() => true);

  async function fetchFiles(
    definition: PackageDefinition,
    folder: string,
    options: DownloadOptions,
  ): Promise<FileRecord[]> {
    const state = await readState(folder);
    const progress = new PackageProgress(definition, options);
    const records: FileRecord[] = [];
    for (const file of definition.files) {
      options.signal.throwIfAborted();
      if (file.content !== undefined) {
        records.push(await onDisk(() => writeContent(folder, file.path, file.content ?? '')));
        continue;
      }
      const whole = await wholeFile(folder, file.path, state);
      if (whole && (file.sha256 === undefined || file.sha256 === whole.sha256)) {
        progress.set(file.path, whole.size_bytes, whole.size_bytes);
        records.push(whole);
        continue;
      }
      const bundled = await onDisk(() => copyBundled(places.bundled_folder, definition, file, folder));
      if (bundled) {
        progress.set(file.path, bundled.size_bytes, bundled.size_bytes);
        records.push(bundled);
        continue;
      }
      const name = nameOfRemote(definition, file);
      const knownHashes = await readHashes(places.known_hashes_file);
      const save = async (known: DownloadState['files'][string]) => {
        state.files[file.path] = known;
        await onDisk(() => writeJson(join(folder, STATE_FILE), state));
      };
      const record = await fetchModelFile(
        {
          path: file.path,
          toFile: join(folder, file.path),
          urls: urlsOf(definition, file, options),
          sizeBytes: file.size_bytes,
          sha256: file.sha256,
          knownSha256: knownHashes[name],
          etag: state.files[file.path]?.etag,
          signal: options.signal,
          on_etag: (etag) => save(etag === undefined ? {} : { etag }),
          onProgress: (received, announced) => progress.set(file.path, received, announced),
        },
        requests,
        settings,
      );
      if (file.path.endsWith('.onnx')) await checkGraph(folder, record);
      await save({ size_bytes: record.size_bytes, sha256: record.sha256 });
      if (file.sha256 === undefined && knownHashes[name] === undefined) {
        const latest = await readHashes(places.known_hashes_file);
        await onDisk(() => writeJson(places.known_hashes_file, { ...latest, [name]: record.sha256 }));
      }
      records.push(record);
    }
    return records;
  }

  return {
    download: async (contents, options) => {
      const { id } = contents.package;
      const folder = join(places.downloads_folder, id);
      await onDisk(() => mkdir(folder, { recursive: true }));
      const fetched = await fetchFiles(contents.package, folder, options);
      const files = await splitPackage(folder, contents, fetched, splitEncoder, options.signal);
      await rm(join(folder, STATE_FILE), { force: true });
      return onDisk(() => settlePackage(folder, join(places.packages_folder, id), contents, files));
    },
    close: () => requests.close(),
  };
}

/** Combines the results of all files. */
class PackageProgress {
  readonly #received = new Map<string, number>();
  readonly #sizes = new Map<string, number>();
  readonly #nFiles: number;
  readonly #onProgress: DownloadOptions['onProgress'];

  constructor(definition: PackageDefinition, options: DownloadOptions) {
    const fetched = definition.files.filter((file) => file.content === undefined);
    this.#nFiles = fetched.length;
    this.#onProgress = options.onProgress;
    for (const file of fetched) if (file.size_bytes !== undefined) this.#sizes.set(file.path, file.size_bytes);
  }

  set(path: string, received: number, size: number | undefined): void {
    this.#received.set(path, received);
    if (size !== undefined) this.#sizes.set(path, size);
    const total = this.#sizes.size === this.#nFiles ? sum(this.#sizes) : null;
    this.#onProgress(sum(this.#received), total);
  }
}

function sum(sizes: ReadonlyMap<string, number>): number {
  return [...sizes.values()].reduce((total, size) => total + size, 0);
}

type PackageFile = PackageDefinition['files'][number];

/** URLs of a file in the order in which they are tried. */
function urlsOf({ id, source }: PackageDefinition, file: PackageFile, { mirror, hubs }: DownloadOptions): string[] {
  const path = encoded(file.remote_path ?? file.path);
  const mirrored = mirror === null ? [] : [`${withoutSlash(mirror)}/${id}/${encoded(file.path)}`];
  if (source?.base_url !== undefined) return [...mirrored, `${withoutSlash(source.base_url)}/${path}`];
  const revision = encodeURIComponent(source?.revision ?? DEFAULT_REVISION);
  return [
    ...mirrored,
    ...hubs.map((hub) => `${withoutSlash(hub)}/${source?.hub_repository}/resolve/${revision}/${path}`),
  ];
}

const encoded = (path: string) => path.split('/').map(encodeURIComponent).join('/');
const withoutSlash = (url: string) => url.replace(/\/+$/, '');

/** Key of a file in the list of known hashes, independent of the hub. */
function nameOfRemote({ source }: PackageDefinition, file: PackageFile): string {
  const where = source?.base_url ?? `${source?.hub_repository}@${source?.revision ?? DEFAULT_REVISION}`;
  return `${where}/${file.remote_path ?? file.path}`;
}

async function wholeFile(folder: string, path: string, state: DownloadState): Promise<FileRecord | undefined> {
  const { size_bytes, sha256 } = state.files[path] ?? {};
  const found = await stat(join(folder, path)).catch(() => undefined);
  if (sha256 === undefined || size_bytes === undefined || size_bytes !== found?.size) return undefined;
  return { path, size_bytes, sha256 };
}

/** Checks that a graph is a model. The usual other content is the login page of a portal. @throws AppError `storage_failed`. */
async function checkGraph(folder: string, { path }: FileRecord): Promise<void> {
  try {
    await readOnnx(join(folder, path));
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    await rm(join(folder, path), { force: true });
    throw new AppError('storage_failed', message('download_not_model', { file: path, problem: error.reason }));
  }
}

async function readState(folder: string): Promise<DownloadState> {
  try {
    return downloadState.parse(await readJson(join(folder, STATE_FILE)));
  } catch {
    return { files: {} };
  }
}

async function readHashes(path: string): Promise<Record<string, string>> {
  try {
    return z.record(z.string(), z.string()).parse(await readJson(path));
  } catch {
    return {};
  }
}

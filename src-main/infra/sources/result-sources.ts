import { createHash, randomUUID } from 'node:crypto';
import { readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '../../contract/errors.ts';
import { message } from '../../contract/messages.ts';
import { type ResultManifest, resultManifest } from '../../contract/schemas/results.ts';
import type { LocalFolders } from '../../core/ports/files.ts';
import type { OpenedFolders } from '../../core/ports/opened-folders.ts';
import type { ResultFolder, ResultSources } from '../../core/ports/results.ts';
import type { ObjectStorage } from '../storage/s3-storage.ts';
import { parseS3Uri } from '../storage/s3-uri.ts';

const MANIFEST = 'manifest.json';
/** Ten thousands of parts fit. */
const MAX_MANIFEST_BYTES = 16 * 1024 * 1024;

interface Parts {
  folders: Pick<LocalFolders, 'locate'>;
  opened: OpenedFolders;
  storage: Pick<ObjectStorage, 'fetchObject'>;
  /** Emptied at each start. */
  temporaryFolder: string;
}

/** Reads results in place from folders, and file by file from object storage. */
export function createResultSources(parts: Parts): ResultSources {
  return {
    open: async ({ location, assume_role }, signal) => {
      const withFile = /^s3:/i.test(location)
        ? ofStorage(parts, location.trimEnd(), assume_role ?? undefined, signal)
        : await ofFolder(parts, location);
      const text = await withFile(MANIFEST, (path) => readManifest(path));
      const manifestSha256 = createHash('sha256').update(text).digest('hex');
      return { manifest: parseManifest(text.toString('utf8')), manifest_sha256: manifestSha256, withFile };
    },
  };
}

async function ofFolder({ folders, opened }: Parts, location: string): Promise<ResultFolder['withFile']> {
  const folder = await folders.locate(location);
  return async (file, work) => {
    // The file may be a link that leads out of the opened folders.
    const path = await opened.resolve(join(folder, file));
    const isFile = await stat(path).then(
      (found) => found.isFile(),
      () => false,
    );
    return work(isFile ? path : undefined);
  };
}

function ofStorage(
  { storage, temporaryFolder }: Parts,
  uri: string,
  assumeRole: string | undefined,
  signal: AbortSignal,
): ResultFolder['withFile'] {
  const { bucket, key } = parseS3Uri(uri);
  const prefix = key === '' || key.endsWith('/') ? key : `${key}/`;
  return async (file, work) => {
    const path = join(temporaryFolder, `results-${randomUUID()}`);
    try {
      const isThere = await storage.fetchObject({ bucket, key: `${prefix}${file}` }, path, { assumeRole, signal }).then(
        () => true,
        (error: unknown) => {
          if (error instanceof AppError && error.code === 'not_found') return false;
          throw error;
        },
      );
      return await work(isThere ? path : undefined);
    } finally {
      await rm(path, { force: true });
    }
  };
}

async function readManifest(path: string | undefined): Promise<Buffer> {
  if (path === undefined) throw new AppError('invalid_request', message('results_manifest_missing'));
  const { size } = await stat(path);
  if (size > MAX_MANIFEST_BYTES) {
    throw new AppError('invalid_request', message('results_manifest_too_large', { megabytes: 16 }));
  }
  return readFile(path);
}

function parseManifest(text: string): ResultManifest {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new AppError('invalid_request', message('results_manifest_not_json'));
  }
  const { data, error } = resultManifest.safeParse(value);
  if (data) return data;
  const [issue] = error.issues;
  const place = issue?.path.join('.') ?? '';
  throw new AppError('invalid_request', message('results_manifest_invalid', { place, detail: issue?.message ?? '' }));
}

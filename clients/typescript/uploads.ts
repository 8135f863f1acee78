import type { Api } from './api.ts';
import type { FilePart } from './api-types.ts';
import { pause } from './pause.ts';
import { VitrineError } from './vitrine-error.ts';

const MAX_BATCH_FILES = 50;
const MAX_BATCH_BYTES = 64 * 1024 * 1024;
const ATTEMPTS = 4;
const FIRST_RETRY_MS = 500;

export interface UploadProgress {
  files: number;
  bytes: number;
}

export interface UploadOutcome {
  accepted: number;
  refused: { file_name: string; reason: string }[];
}

export interface UploadOptions {
  signal?: AbortSignal;
  onProgress?: (sent: UploadProgress) => void;
}

/**
 * Sends files into an open transaction in requests of up to 50 files or 64 MB. Files are taken from the source when they are sent, so a
 * source may create them one by one. A request that fails for a moment is repeated.
 * @throws VitrineError when a request is refused or fails repeatedly.
 */
export async function uploadFiles(
  api: Api,
  target: { dataset_id: string; transaction_id: number },
  files: Iterable<FilePart> | AsyncIterable<FilePart>,
  options: UploadOptions = {},
): Promise<UploadOutcome> {
  const outcome: UploadOutcome = { accepted: 0, refused: [] };
  const sent = { files: 0, bytes: 0 };
  for await (const batch of batches(files)) {
    const { accepted, refused } = await sendBatch(api, target, batch, options.signal);
    outcome.accepted += accepted;
    outcome.refused.push(...refused);
    sent.files += batch.length;
    sent.bytes += sizeOf(batch);
    options.onProgress?.({ ...sent });
  }
  return outcome;
}

async function* batches(files: Iterable<FilePart> | AsyncIterable<FilePart>): AsyncGenerator<FilePart[]> {
  let batch: FilePart[] = [];
  for await (const part of files) {
    const isFull = batch.length === MAX_BATCH_FILES || sizeOf(batch) + part.file.size > MAX_BATCH_BYTES;
    if (isFull && batch.length > 0) {
      yield batch;
      batch = [];
    }
    batch.push(part);
  }
  if (batch.length > 0) yield batch;
}

async function sendBatch(
  api: Api,
  target: { dataset_id: string; transaction_id: number },
  files: FilePart[],
  signal: AbortSignal | undefined,
): Promise<UploadOutcome> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await api.upload_files({ ...target, files }, signal === undefined ? {} : { signal });
    } catch (error) {
      if (!(error instanceof VitrineError)) throw error;
      // A request without any usable file is refused as a whole. Other requests may contain usable files.
      if (error.code === 'invalid_request') {
        const reason = error.message;
        return { accepted: 0, refused: files.map(({ file_name }) => ({ file_name, reason })) };
      }
      if (!error.isTransient || attempt === ATTEMPTS) throw error;
      await pause(FIRST_RETRY_MS * 2 ** (attempt - 1), signal);
    }
  }
}

function sizeOf(files: readonly FilePart[]): number {
  return files.reduce((sum, { file }) => sum + file.size, 0);
}

import { type Api, api } from './api.ts';
import { ApiError } from './api-error.ts';
import type { DroppedFile } from './dropped-files.ts';

const MAX_BATCH_FILES = 50;
const MAX_BATCH_BYTES = 64 * 1024 * 1024;
const PARALLEL = 2;
const ATTEMPTS = 4;
const FIRST_RETRY_MS = 500;

export interface UploadProgress {
  filesDone: number;
  filesTotal: number;
  bytesDone: number;
  bytesTotal: number;
}

export interface UploadOutcome {
  accepted: number;
  refused: readonly { file_name: string; reason: string }[];
}

interface UploadJob {
  datasetId: string;
  transactionId: number;
  files: readonly DroppedFile[];
  /** Files sent by an earlier attempt: counted, not sent again. Grows with each batch. */
  sent: Set<DroppedFile>;
  signal: AbortSignal;
  onProgress(progress: UploadProgress): void;
}

/**
 * Sends files into an open transaction, two batches at a time. A batch that fails with a transient error is retried with growing delays.
 * @throws ApiError when a batch is refused or fails repeatedly. An abort error when the signal fires.
 */
export async function uploadFiles(job: UploadJob, client: Pick<Api, 'upload_files'> = api): Promise<UploadOutcome> {
  const waiting = batches(job.files.filter((file) => !job.sent.has(file)));
  const progress: UploadProgress = {
    filesDone: job.sent.size,
    filesTotal: job.files.length,
    bytesDone: sizeOf([...job.sent]),
    bytesTotal: sizeOf(job.files),
  };
  const refused: { file_name: string; reason: string }[] = [];
  let accepted = 0;
  const worker = async () => {
    for (let batch = waiting.shift(); batch !== undefined; batch = waiting.shift()) {
      const result = await sendWithRetry(job, batch, client);
      accepted += result.accepted;
      refused.push(...result.refused);
      for (const file of batch) job.sent.add(file);
      progress.filesDone += batch.length;
      progress.bytesDone += sizeOf(batch);
      job.onProgress({ ...progress });
    }
  };
  job.onProgress({ ...progress });
  await Promise.all(Array.from({ length: PARALLEL }, worker));
  return { accepted, refused };
}

/** Splits files, in order, into requests of up to 50 files and about 64 MB. A larger file is sent alone. */
export function batches(files: readonly DroppedFile[]): DroppedFile[][] {
  const all: DroppedFile[][] = [];
  let batch: DroppedFile[] = [];
  let bytes = 0;
  for (const entry of files) {
    if (batch.length === MAX_BATCH_FILES || (batch.length > 0 && bytes + entry.file.size > MAX_BATCH_BYTES)) {
      all.push(batch);
      batch = [];
      bytes = 0;
    }
    batch.push(entry);
    bytes += entry.file.size;
  }
  if (batch.length > 0) all.push(batch);
  return all;
}

async function sendWithRetry(job: UploadJob, batch: readonly DroppedFile[], client: Pick<Api, 'upload_files'>) {
  const files = batch.map(({ file, relativePath }) => ({ file, file_name: relativePath }));
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await client.upload_files(
        { dataset_id: job.datasetId, transaction_id: job.transactionId, files },
        { signal: job.signal },
      );
    } catch (error) {
      // A request without any usable file is refused as a whole. Other requests may contain usable files.
      if (error instanceof ApiError && error.code === 'invalid_request') return refusedWhole(files, error.detail);
      const passing = error instanceof ApiError && error.transient;
      if (!passing || attempt === ATTEMPTS) throw error;
      await pause(FIRST_RETRY_MS * 2 ** (attempt - 1), job.signal);
    }
  }
}

function refusedWhole(files: readonly { file_name: string }[], reason: string) {
  return { accepted: 0, refused: files.map(({ file_name }) => ({ file_name, reason })) };
}

function sizeOf(files: readonly DroppedFile[]): number {
  return files.reduce((sum, { file }) => sum + file.size, 0);
}

function pause(durationMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, durationMs);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
}

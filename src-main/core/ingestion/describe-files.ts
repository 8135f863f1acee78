import { pMapIterable } from 'p-map';
import type { FileCursor, PendingFile } from '../ports/dataset-files.ts';
import type { Encoders } from '../ports/encoder.ts';
import type { IntakeWrites } from '../ports/intake.ts';
import type { ImageResult, LocalJobs } from '../ports/local-jobs.ts';

/**
 * Files per chunk: `first` is the size of the first chunks, `least` and `most` are the limits, and `seconds` is the target duration. Large
 * chunks reduce the idle time between chunks; small ones show progress and limit the work that a crash loses. Chunks become smaller towards
 * the end, so that all processes finish at about the same time (guided self-scheduling, Polychronopoulos and Kuck 1987).
 */
const CHUNK = { first: 32, least: 16, most: 256, seconds: 2 };
/** Chunks in progress per process: enough that no process idles while another works on a chunk of large images. */
const CHUNKS_AHEAD = 4;

/**
 * Reads, describes and saves every pending image of a batch. Results are saved in the order of paths, so that the same files always get the
 * same rows. The number of chunks in memory is bounded.
 * @param files Lists and saves the images: `intake` of the store, or the equivalent for changed images.
 * @param n_files Number of pending images, possibly slightly too high.
 * @param onDone Receives the number of files finished so far in this call.
 */
export async function describePendingFiles(parts: {
  files: Pick<IntakeWrites, 'listPending' | 'saveResults'>;
  batch_id: string;
  n_files: number;
  localJobs: LocalJobs;
  encoders: Encoders;
  swap_rgb: boolean;
  signal: AbortSignal;
  onDone: (done: number) => void;
}): Promise<void> {
  const { files, n_files, localJobs, encoders, swap_rgb, signal, onDone } = parts;
  const describe = async (chunk: PendingFile[]): Promise<{ chunk: PendingFile[]; result: ImageResult[] }> => {
    const requests = chunk.map((file) => ({ key: file.file_id, path: file.path, swap_rgb }));
    return { chunk, result: await localJobs.describeImages(requests, encoders, signal) };
  };
  const concurrency = localJobs.size * CHUNKS_AHEAD;
  const startedMs = performance.now();
  let done = 0;
  const chunkSize = (nListed: number): number => {
    const share = Math.ceil((n_files - nListed) / localJobs.size / 2);
    const perProcess = done / ((performance.now() - startedMs) / 1000) / localJobs.size;
    const planned = done === 0 ? CHUNK.first : Math.round(Math.min(CHUNK.most, perProcess * CHUNK.seconds));
    return Math.max(CHUNK.least, Math.min(planned, share));
  };
  for await (const { chunk, result } of pMapIterable(pendingFiles(parts, chunkSize), describe, { concurrency })) {
    await files.saveResults(result);
    done += chunk.length;
    onDone(done);
  }
}

async function* pendingFiles(
  { files, batch_id, signal }: Pick<Parameters<typeof describePendingFiles>[0], 'files' | 'batch_id' | 'signal'>,
  chunkSize: (nListed: number) => number,
): AsyncGenerator<PendingFile[]> {
  let after: FileCursor = null;
  for (let nListed = 0; ; ) {
    signal.throwIfAborted();
    const page: PendingFile[] = await files.listPending(batch_id, 'image', after, chunkSize(nListed));
    const last = page.at(-1);
    if (!last) return;
    yield page;
    after = last;
    nListed += page.length;
  }
}

import { pMapIterable } from 'p-map';
import type { FileCursor, PendingFile } from '../ports/dataset-files.ts';
import type { Encoders } from '../ports/encoder.ts';
import type { IntakeWrites } from '../ports/intake.ts';
import type { ImageResult, LocalJobs } from '../ports/local-jobs.ts';

/**
 * Files a process gets at a time: what it takes some seconds for, since it idles a little at the end of each chunk, yet progress shows,
 * and what a crash undoes stays small. Towards the end chunks become smaller, so that all processes end at about the same time (guided
 * self-scheduling, Polychronopoulos and Kuck 1987).
 */
const CHUNK = { first: 32, least: 16, most: 256, seconds: 2 };
/** Chunks under way for each process: enough that none idles while another works on a chunk of large images. */
const CHUNKS_AHEAD = 4;

/**
 * Reads, describes and saves every pending image of a batch. Results are saved in order of path whatever order they finish in, so that
 * the same files always get the same rows; memory holds a fixed number of chunks.
 * @param files Lists and saves the images: `intake` of the store, or the same of changed images.
 * @param n_files Number of pending images, or a little more.
 * @param onDone Files finished so far in this call.
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
    const wanted = done === 0 ? CHUNK.first : Math.round(Math.min(CHUNK.most, perProcess * CHUNK.seconds));
    return Math.max(CHUNK.least, Math.min(wanted, share));
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

import type { ComputePool, ImageResult } from '../compute.port.ts';
import type { DatasetStore, FileCursor, PendingFile } from '../dataset-store.port.ts';
import type { Encoder } from '../encoder.port.ts';

/** Files a process gets at a time. */
const CHUNK = 32;
/** Chunks under way for each process: enough that none idles while another works on a chunk of large pictures. */
const CHUNKS_AHEAD = 4;

/**
 * Reads, describes and saves every pending picture of a batch. Results are saved in order of path whatever order they finish in, so that
 * the same files always get the same rows; memory holds a fixed number of chunks.
 * @param onDone Files finished so far in this call.
 */
export async function describePendingFiles(parts: {
  store: Pick<DatasetStore, 'listPending' | 'saveResults'>;
  batch_id: string;
  compute: ComputePool;
  encoder: Encoder;
  swap_rgb: boolean;
  signal: AbortSignal;
  onDone: (done: number) => void;
}): Promise<void> {
  const { store, batch_id, compute, encoder, swap_rgb, signal, onDone } = parts;
  const under_way: { results: Promise<ImageResult[]>; n: number }[] = [];
  const limit = compute.size * CHUNKS_AHEAD;
  let after: FileCursor = null;
  let done = 0;

  const finishOldest = async () => {
    const oldest = under_way.shift();
    if (!oldest) return;
    await store.saveResults(await oldest.results);
    done += oldest.n;
    onDone(done);
  };

  try {
    for (;;) {
      signal.throwIfAborted();
      const files: PendingFile[] = await store.listPending(batch_id, 'image', after, CHUNK);
      if (files.length === 0) break;
      after = files.at(-1) ?? null;
      const requests = files.map((file) => ({ key: file.file_id, path: file.path, swap_rgb }));
      const results = compute.describeImages(requests, encoder, signal);
      // It is awaited in its turn; a failure before that must not count as unhandled.
      results.catch(() => undefined);
      under_way.push({ results, n: files.length });
      if (under_way.length >= limit) await finishOldest();
    }
    while (under_way.length > 0) await finishOldest();
  } finally {
    await Promise.allSettled(under_way.map((chunk) => chunk.results));
  }
}

import { findCandidates as find } from '../duplicates/find-candidates.ts';
import { loadModels } from '../inference/loaded-models.ts';
import type { CandidatesPayload } from './child-protocol.ts';
import type { JobContext } from './child-runtime.ts';

/** Handler of `find_candidates` jobs: writes the pairs of images to compare to a file. */
export async function findCandidates(payload: unknown, context: JobContext): Promise<void> {
  const { job, looks, session, threads } = payload as CandidatesPayload;
  const loaded = await loadModels([looks], session, context);
  await find(job, {
    threads,
    signal: context.signal,
    turn: context.turn,
    onProgress: context.progress,
    describe: async (images) => {
      const prepared = await Promise.all(images.map((image) => loaded.prepare(image, image)));
      const outputs = await loaded.apply(prepared);
      return outputs.map(([output]) => (output?.kind === 'vector' ? output.vector : undefined));
    },
  });
}

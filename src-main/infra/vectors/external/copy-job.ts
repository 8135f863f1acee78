import type { SpaceAddress } from '../../../core/ports/vector-engine.ts';
import type { CopyJob } from '../../../core/ports/vectors.ts';
import { type EngineLocation, openVectorEngine } from '../open-engine.ts';

/** Input of a copy job, as the store prepares it. */
export type CopyInput = {
  engine: EngineLocation;
  space: SpaceAddress;
};

/** Copies the vectors of a space to the external engine. A job that was killed can run again and continues. */
export async function runCopyJob(
  { count, input }: CopyJob,
  options: { signal: AbortSignal; onProgress: (fraction: number) => void },
): Promise<void> {
  const { engine: location, space } = input as CopyInput;
  const engine = openVectorEngine(location);
  try {
    await engine.open(space).copyOut({ count, isFirst: true, ...options });
  } finally {
    await engine.close();
  }
}

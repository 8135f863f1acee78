import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { LocalModel } from './local-models.ts';
import { modelFilesOf } from './model-files.ts';

/** Number of processes that run some models at once, and their settings. */
export interface ModelPlan {
  processes: number;
  /** Threads for each process. */
  threads: number;
  /** Memory in bytes above which a process is replaced after a job. */
  maxRssBytes: number;
  weightsBytes: number;
}

/** Memory of a process without any weights: Node, ONNX Runtime, and images in progress. */
export const BYTES_PER_PROCESS = 400 * 2 ** 20;
/** Memory per byte of weights: ONNX Runtime stores a rearranged copy of the weights, and activations need additional memory. */
const MEMORY_PER_WEIGHT = 2.5;
/** Native heaps fragment: a process may use this many bytes more than it needs before it is replaced. */
const SPARE_BYTES = 300 * 2 ** 20;

/** One process per core as far as memory allows; remaining cores become threads. */
export async function planModels(
  models: readonly LocalModel[],
  machine: { cores: number; spareBytes: number },
): Promise<ModelPlan> {
  const sizes = await Promise.all(models.map(weightsOf));
  const weightsBytes = sizes.reduce((sum, size) => sum + size, 0);
  const bytesPerProcess = BYTES_PER_PROCESS + weightsBytes * MEMORY_PER_WEIGHT;
  const fitting = Math.floor(machine.spareBytes / bytesPerProcess);
  const processes = Math.max(1, Math.min(machine.cores, fitting));
  return {
    processes,
    threads: Math.max(1, Math.floor(machine.cores / processes)),
    maxRssBytes: bytesPerProcess + SPARE_BYTES,
    weightsBytes,
  };
}

/** Bytes of a model's graphs. A missing file counts as 0; loading it reports the error. */
async function weightsOf({ folder, runner }: LocalModel): Promise<number> {
  const named = modelFilesOf(runner).map((file) => join(folder, file));
  // Weights above 2 GB are stored in a file beside their graph.
  const files = runner.kind === 'captioner' ? await graphsIn(folder) : named.flatMap((file) => [file, `${file}_data`]);
  const sizes = await Promise.all(
    files.map((file) =>
      stat(file).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

async function graphsIn(folder: string): Promise<string[]> {
  const names = await readdir(folder, { recursive: true }).catch(() => []);
  return names.filter((name) => /\.onnx(_data)?$/.test(name)).map((name) => join(folder, name));
}

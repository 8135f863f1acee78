import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { setPriority } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import type { ImageInput } from '../../src-main/contract/schemas/model-definition.ts';
import { DEFAULT_PIXEL_LIMIT, decodeImage } from '../../src-main/infra/images/decode-image.ts';
import { neededScale, prepareImage, tensorOf } from '../../src-main/infra/images/image-input.ts';
import { workingPxFor } from '../../src-main/infra/images/working-image.ts';
import type { LocalModel } from '../../src-main/infra/inference/local-models.ts';

/**
 * The reference for model throughput: plain processes with a session of one thread each, no queue, no message per item, no stored results.
 */
export interface BareModel {
  /**
   * `session` runs only the session, on prepared tensors; `loop` also reads, decodes and prepares the images. @returns Items per second.
   */
  run(mode: 'session' | 'loop'): Promise<number>;
  close(): void;
}

const CHILD_ARGUMENT = 'bare-models-child';
const BATCH_SIZE = 8;
const DECODES_AT_ONCE = 2;
/** Nice value of the product's own processes, so that other load on the machine affects both alike. */
const NICENESS = 5;

export async function openBareModels(spec: LocalModel, files: string[], processes: number): Promise<BareModel> {
  const children = Array.from({ length: processes }, () =>
    fork(fileURLToPath(import.meta.url), [CHILD_ARGUMENT], { execArgv: [], serialization: 'advanced' }),
  );
  const askAll = (message: (nth: number) => object) =>
    Promise.all(
      children.map(async (child, nth) => {
        child.send(message(nth));
        await answerOf(child);
      }),
    );
  await askAll((nth) => ({ spec, files: files.filter((_, index) => index % processes === nth) }));
  return {
    run: async (mode) => {
      const startedMs = performance.now();
      await askAll(() => ({ mode }));
      return files.length / ((performance.now() - startedMs) / 1000);
    },
    close: () => {
      for (const child of children) child.kill();
    },
  };
}

async function answerOf(child: ChildProcess): Promise<void> {
  await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(() => {
      throw new Error('A process of the bare loop died.');
    }),
  ]);
}

async function serveAsChild(): Promise<void> {
  setPriority(NICENESS);
  const [{ spec, files }] = (await once(process, 'message')) as [{ spec: LocalModel; files: string[] }];
  const { runner } = spec;
  if (!('model_file' in runner && 'input' in runner)) throw new Error('Only models of one graph are measured.');
  const { input } = runner;
  const session = await InferenceSession.create(join(spec.folder, runner.model_file), {
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
    executionMode: 'sequential',
    logSeverityLevel: 3,
  });
  const metadata = session.inputMetadata[0];
  const size = metadata?.isTensor === true && metadata.shape[0] === 1 ? 1 : BATCH_SIZE;
  const run = (tensor: Tensor) => session.run({ [session.inputNames[0] ?? '']: tensor });
  const ready: Tensor[] = [];
  await forBatches(files, input, size, async (tensor) => void ready.push(tensor));
  for (const tensor of ready.slice(0, 2)) await run(tensor);
  process.send?.('ready');
  process.on('message', async ({ mode }: { mode: 'session' | 'loop' }) => {
    if (mode === 'session') for (const tensor of ready) await run(tensor);
    else await forBatches(files, input, size, run);
    process.send?.('done');
  });
}

async function forBatches(
  files: readonly string[],
  input: ImageInput,
  size: number,
  use: (tensor: Tensor) => Promise<unknown>,
): Promise<void> {
  const prepared: Awaited<ReturnType<typeof prepareImage>>[] = [];
  const finish = async (): Promise<void> => {
    const batch = prepared.splice(0, size);
    if (batch.length === 0) return;
    const { data, dims } = tensorOf(batch, input, batch.length);
    await use(data instanceof Float32Array ? new Tensor('float32', data, dims) : new Tensor('uint8', data, dims));
  };
  let next = 0;
  const one = async (): Promise<void> => {
    for (let file = files[next++]; file !== undefined; file = files[next++]) {
      const workingPx = (image: { width: number; height: number }) => workingPxFor(image, neededScale(input, image));
      const { working, width, height } = await decodeImage(await readFile(file), {
        pixelLimit: DEFAULT_PIXEL_LIMIT,
        workingPx,
      });
      prepared.push(await prepareImage(working, { width, height }, input));
      if (prepared.length >= size) await finish();
    }
  };
  await Promise.all(Array.from({ length: DECODES_AT_ONCE }, one));
  await finish();
}

if (process.argv[2] === CHILD_ARGUMENT) await serveAsChild();

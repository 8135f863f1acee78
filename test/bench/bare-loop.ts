import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { DEFAULT_PIXEL_LIMIT } from '../../src-main/infra/images/decode-image.ts';
import { type DescribeOptions, describeImage } from '../../src-main/infra/images/describe-image.ts';
import type { PreparedImage } from '../../src-main/infra/images/image-input.ts';
import { ImageProblem } from '../../src-main/infra/images/image-problem.ts';
import type { ImageModel } from '../../src-main/infra/inference/image-model.ts';
import type { LocalModel } from '../../src-main/infra/inference/local-models.ts';
import { openImageModel } from '../../src-main/infra/inference/open-image-model.ts';

/**
 * The reference for indexing: the same reading, decoding, thumbnails, statistics and inference as in the product's compute processes, in
 * plain forked processes that receive their files in one message and answer with one number. There is no database, no index, no message per
 * item and no supervision. The time runs from "go" to the last answer; processes are started and models are loaded before.
 */
export async function runBareLoop(
  files: readonly string[],
  encoder: LocalModel,
  processes: number,
): Promise<{ items_per_s: number; seconds: number; cpu_s: number }> {
  const children = Array.from({ length: processes }, () =>
    fork(fileURLToPath(import.meta.url), [CHILD_ARGUMENT], { execArgv: [], serialization: 'advanced' }),
  );
  try {
    await Promise.all(
      children.map(async (child, nth) => {
        child.send({ files: files.filter((_, index) => index % processes === nth), encoder });
        await answerOf(child);
      }),
    );
    const startedMs = performance.now();
    const used = await Promise.all(
      children.map((child) => {
        child.send('go');
        return answerOf(child);
      }),
    );
    const seconds = (performance.now() - startedMs) / 1000;
    return { items_per_s: files.length / seconds, seconds, cpu_s: used.reduce((sum, cpuS) => sum + cpuS, 0) };
  } finally {
    for (const child of children) child.kill();
  }
}

const CHILD_ARGUMENT = 'bare-loop-child';
const BATCH_SIZE = 8;
const DECODES_AT_ONCE = 2;

/** @returns Processor seconds that the process has used for its files so far. */
async function answerOf(child: ChildProcess): Promise<number> {
  const [event] = await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(() => {
      throw new Error('A process of the bare loop died.');
    }),
  ]);
  if (typeof event !== 'number') throw new Error('A process of the bare loop answered nonsense.');
  return event;
}

function open(model: LocalModel): Promise<ImageModel> {
  return openImageModel(model, {
    session: { executionProviders: ['cpu'], threads: 1 },
    alive: () => undefined,
  });
}

async function loop(files: readonly string[], encoder: LocalModel): Promise<void> {
  const model = await open(encoder);
  const options: DescribeOptions<PreparedImage> = {
    pixelLimit: DEFAULT_PIXEL_LIMIT,
    neededScale: (image) => model.neededScale(image),
    prepare: (working, image) => model.prepare(working, image),
  };
  const inputs: PreparedImage[] = [];
  let next = 0;
  const one = async (): Promise<void> => {
    for (let file = files[next++]; file !== undefined; file = files[next++]) {
      try {
        inputs.push((await describeImage(file, options)).model_input);
      } catch (error) {
        if (!(error instanceof ImageProblem)) throw error;
      }
      if (inputs.length >= BATCH_SIZE) await model.apply(inputs.splice(0));
    }
  };
  await Promise.all(Array.from({ length: DECODES_AT_ONCE }, one));
  if (inputs.length > 0) await model.apply(inputs.splice(0));
}

async function serveAsChild(): Promise<void> {
  const [work] = (await once(process, 'message')) as [{ files: string[]; encoder: LocalModel }];
  await open(work.encoder);
  process.send?.(0);
  await once(process, 'message');
  const before = process.cpuUsage();
  await loop(work.files, work.encoder);
  const { user, system } = process.cpuUsage(before);
  process.send?.((user + system) / 1e6);
}

if (process.argv[2] === CHILD_ARGUMENT) await serveAsChild();

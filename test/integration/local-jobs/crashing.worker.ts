import { appendFileSync, existsSync, writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { AppError } from '../../../src-main/contract/errors.ts';
import { asWritten } from '../../../src-main/contract/messages.ts';
import type { ComparisonBatch } from '../../../src-main/core/ports/duplicates.ts';
import type { ImageResult } from '../../../src-main/core/ports/local-jobs.ts';
import { DECODE_BYTES } from '../../../src-main/infra/images/decode-memory.ts';
import type { ApplyPayload, DescribePayload, IndexPayload } from '../../../src-main/infra/local-jobs/child-protocol.ts';
import { type JobContext, serveJobs } from '../../../src-main/infra/local-jobs/child-runtime.ts';

/**
 * A compute process that misbehaves on command. An item's path is the command: `ok`, `crash`, `exit`, `hang` (silent for ever),
 * `borrow:<file>` (takes most of the shared memory, writes its process id to `<file>.pid`, and continues when the file exists), `freeze`
 * (blocks the thread for ever), `freeze-model` (the same while models run), `wait:<file>` (continues when the file exists). Three items are
 * processed at a time. The model's `folder` is a journal that gets one line per start and per finish; `model_id` may request a fault of the
 * job as a whole, or a loading time.
 */
serveJobs({
  describe_images: async (payload, context) => {
    const { items, looks: model } = payload as DescribePayload;
    if (model.model_id === 'die-before-items') process.abort();
    if (model.model_id === 'refuse') throw new AppError('unavailable', asWritten('There is no such model.'));
    for (let first = 0; first < items.length && !context.signal.aborted; first += 3) {
      const inHand = items.slice(first, first + 3);
      for (const [offset, item] of inHand.entries()) {
        await context.started(first + offset);
        appendFileSync(model.folder, `start ${item.key} ${process.pid}\n`);
      }
      for (const [offset, item] of inHand.entries()) {
        await obey(item.path, context);
        appendFileSync(model.folder, `finish ${item.key}\n`);
        const result: ImageResult = { key: item.key, ok: false, kind: 'empty', reason: asWritten(item.path) };
        context.finished(first + offset, result);
      }
    }
    return [];
  },
  apply_models: async (payload, context) => {
    const { models } = payload as ApplyPayload;
    const { items } = payload as DescribePayload;
    // The model id contains the loading time.
    const [, loadMs = '0'] = /^loads-(\d+)-ms$/.exec(models[0]?.model_id ?? '') ?? [];
    await delay(Number(loadMs));
    for (const [index, item] of items.entries()) {
      await context.started(index);
      await obey(item.path, context);
      context.finished(index, { key: item.key, ok: false, kind: 'empty', reason: asWritten(item.path) });
    }
    return [];
  },
  draw_covers: async () => crypto.getRandomValues(new Uint8Array(16)),
  // Slices of 5 ms, as many as there are pairs.
  compare_images: async (payload, context) => {
    for (const _pair of (payload as ComparisonBatch).pairs) {
      await context.turn();
      await delay(5);
    }
    return [];
  },
  try_model: async (_payload, context) => {
    await context.started(0);
    await obey('freeze', context);
  },
  build_index: async (payload, context) => {
    const { command, journal } = (payload as IndexPayload).request.input as { command: string; journal: string };
    appendFileSync(journal, `start ${process.pid}\n`);
    context.progress(0.5);
    await obey(command, context);
    return { n_clusters: [5, 4, 3, 2, 1], recall_estimate: 1 };
  },
});

async function obey(command: string, context: JobContext): Promise<void> {
  if (command.startsWith('borrow:')) {
    const file = command.slice('borrow:'.length);
    const giveBack = await context.borrow(0.7 * DECODE_BYTES);
    writeFileSync(`${file}.pid`, String(process.pid));
    await obey(`wait:${file}`, context);
    return giveBack();
  }
  if (command === 'freeze-model') {
    await context.applying();
    return obey('freeze', context);
  }
  if (command === 'crash') process.abort();
  if (command === 'exit') process.exit(3);
  if (command === 'freeze') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  if (command === 'hang') await new Promise(() => setInterval(() => undefined, 1000));
  if (!command.startsWith('wait:')) return;
  const file = command.slice('wait:'.length);
  while (!existsSync(file) && !context.signal.aborted) await delay(5);
}

import { setTimeout as pause } from 'node:timers/promises';
import type { Task, TaskType } from '../../src-main/contract/schemas/task.ts';
import { DEFAULT_PIXEL_LIMIT, decodeImage } from '../../src-main/infra/images/decode-image.ts';
import { readExif } from '../../src-main/infra/images/exif.ts';
import type { PreparedImage } from '../../src-main/infra/images/image-input.ts';
import { ImageProblem } from '../../src-main/infra/images/image-problem.ts';
import { qualityStatistics } from '../../src-main/infra/images/quality-statistics.ts';
import { readStableFile } from '../../src-main/infra/images/read-file.ts';
import { atWorkingSize, makeThumbnail, workingPxFor } from '../../src-main/infra/images/working-image.ts';
import type { LocalModel } from '../../src-main/infra/inference/local-models.ts';
import { openImageModel } from '../../src-main/infra/inference/open-image-model.ts';
import type { Api } from '../support/api.ts';
import { cpuSecondsByName } from './process-cpu.ts';
import { round } from './timing.ts';

/** Number of images whose stages are measured. */
const SAMPLE = 150;
const BATCH_SIZE = 8;
/** Interval in milliseconds between looks at the task. */
const LOOK_MS = 150;

/** Milliseconds of processor time per image and stage, of all threads. One image at a time, so that nothing else is counted. */
export async function cpuByStage(files: readonly string[], encoder: LocalModel): Promise<Record<string, number>> {
  const model = await openImageModel(encoder, {
    session: { executionProviders: ['cpu'], threads: 1 },
    alive: () => undefined,
  });
  const totals = new Map<string, number>();
  const during = async <T>(stage: string, work: () => T | Promise<T>): Promise<T> => {
    const before = process.cpuUsage();
    const result = await work();
    const { user, system } = process.cpuUsage(before);
    totals.set(stage, (totals.get(stage) ?? 0) + (user + system) / 1000);
    return result;
  };
  const step = Math.max(1, Math.floor(files.length / SAMPLE));
  const sample = files.filter((_, index) => index % step === 0).slice(0, SAMPLE);
  let inputs: PreparedImage[] = [];
  let nRead = 0;
  for (const file of sample) {
    try {
      const { input, head } = await during('read_and_hash', () => readStableFile(file));
      const options = {
        pixelLimit: DEFAULT_PIXEL_LIMIT,
        workingPx: (image: { width: number; height: number }) => workingPxFor(image, model.neededScale(image)),
      };
      const { working, exif_block, ...facts } = await during('decode', () => decodeImage(input, options, head));
      await during('thumbnail', () => makeThumbnail(working));
      inputs.push(await during('prepare', () => model.prepare(working, facts)));
      await during('statistics', async () => qualityStatistics(await atWorkingSize(working)));
      await during('exif', () => (typeof input === 'string' ? null : readExif(input, exif_block)));
      nRead += 1;
    } catch (error) {
      if (!(error instanceof ImageProblem)) throw error;
    }
    if (inputs.length < BATCH_SIZE) continue;
    await during('encode', () => model.apply(inputs));
    inputs = [];
  }
  return Object.fromEntries([...totals].map(([stage, ms]) => [stage, round(ms / nRead)]));
}

/** A step of a task. */
export interface Step {
  step: string;
  wall_s: number;
  /** Processor seconds by process: `core` (with its threads), `images-1`, … */
  cpu_s: Record<string, number>;
}

/**
 * Follows the steps of the newest task of a type on a dataset until the task has ended.
 * @param onLook Called with the task each time that it was looked for.
 */
export async function followSteps(
  api: Api,
  datasetId: string,
  server: number,
  type: TaskType = 'DATASET_CREATION',
  onLook: (task: Task) => void = () => undefined,
): Promise<{ task: Task; steps: Step[]; ended_ms: number }> {
  const steps: Step[] = [];
  let [beganMs, before] = [performance.now(), await cpuSecondsByName(server, 'core')];
  let current = '';
  const enter = async (step: string) => {
    const [nowMs, now] = [performance.now(), await cpuSecondsByName(server, 'core')];
    if (current !== '') {
      const cpu = Object.entries(now).map(([name, seconds]) => [name, round(seconds - (before[name] ?? 0))] as const);
      steps.push({
        step: current,
        wall_s: round((nowMs - beganMs) / 1000),
        cpu_s: Object.fromEntries(cpu.filter(([, seconds]) => seconds > 0)),
      });
    }
    [current, beganMs, before] = [step, nowMs, now];
  };
  for (;;) {
    const { body } = await api.get<{ tasks: Task[] }>(
      `/tasks?dataset_id=${datasetId}&task_type=${type}&with_service=true`,
    );
    const task = body.tasks[0];
    if (task) onLook(task);
    const step = task?.step || 'start';
    if (step !== current) await enter(step);
    if (task?.end_time) {
      await enter('');
      // The time of the task itself: looking for it more often would take processor time from it.
      return { task, steps, ended_ms: Date.parse(task.end_time) };
    }
    await pause(LOOK_MS);
  }
}

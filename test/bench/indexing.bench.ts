import { readdir } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { DESCRIPTOR_DIM } from '../../src-main/infra/inference/descriptor-shape.ts';
import { localDescriptor } from '../../src-main/infra/inference/visual-descriptor.ts';
import { Api } from '../support/api.ts';
import { writeImages } from '../support/images.ts';
import { repository } from '../support/server.ts';
import { runBareLoop } from './bare-loop.ts';
import { cpuByStage, followSteps, type Step } from './indexing-stages.ts';
import { type LoopDelay, startMeasuredServer } from './measured-server.ts';
import { cpuSecondsOf } from './process-cpu.ts';
import { type MemoryPeak, peakDuring, totalOf } from './process-memory.ts';
import { round } from './timing.ts';

/** Number of generated JPEGs in the large run; `VITRINE_BENCH_ITEMS` overrides it. */
const GENERATED = Number(process.env.VITRINE_BENCH_ITEMS ?? 20_000);

interface Run {
  items: number;
  items_per_s: number;
  bare_items_per_s: number;
  /** Indexing time relative to the bare loop on the same files and cores; 1 means no overhead. */
  ratio: number;
  /** Milliseconds of processor time per image: of the bare loop, and of all processes of the product, which has boxes and an index to make. */
  cpu_ms: { bare: number; product: number; ratio: number };
  /** Milliseconds of processor time per image and stage within the compute processes. */
  cpu_ms_by_stage: Record<string, number>;
  /** Steps of the creation; `idle_s`: seconds of cores that it left unused, or that other programs used. */
  steps: (Step & { idle_s: number })[];
  loop_delay: LoopDelay;
  peak_memory: MemoryPeak;
}

/** Measures items per second of a whole creation (scan to READY) against the bare loop, event-loop delay, and memory by dataset size. */
export async function measureIndexing(media: string, folder: string): Promise<unknown> {
  const photos = join(media, 'photos');
  const generated = join(folder, 'generated');
  const small = Math.round(GENERATED / 10);
  await writeImages(join(generated, 'a'), sequence(0, small));
  await writeImages(join(generated, 'b'), sequence(small, GENERATED));

  const few = await measureRun(join(generated, 'a'), join(folder, 'data-few'));
  const many = await measureRun(generated, join(folder, 'data-many'));
  const vectorsMib = ((many.items - few.items) * DESCRIPTOR_DIM * 4) / 2 ** 20;
  return {
    photos: await measureRun(photos, join(folder, 'data-photos')),
    generated_few: few,
    generated: many,
    growth_of_memory_mib: many.peak_memory.total_mib - few.peak_memory.total_mib,
    growth_of_the_vectors_themselves_mib: Math.round(vectorsMib),
  };
}

async function measureRun(source: string, dataFolder: string): Promise<Run> {
  const files = (await readdir(source, { recursive: true }))
    .filter((name) => /\.(jpe?g|png)$/i.test(name))
    .map((name) => join(source, name));
  const cores = availableParallelism();
  const encoder = localDescriptor(join(repository, 'resources'));
  const bare = await runBareLoop(files, encoder, cores);

  const server = await startMeasuredServer(dataFolder);
  try {
    const api = new Api(server.baseUrl);
    await server.loopDelay();
    const pid = server.process.pid ?? 0;
    let [items, takenS] = [0, 0];
    let steps: Step[] = [];
    const cpuBefore = await cpuSecondsOf(pid);
    const peakMemory = await peakDuring(server.memory, async () => {
      const beganMs = Date.now();
      const id = await api.createFromFolder('bench', source);
      const followed = await followSteps(api, id, pid);
      items = (await api.waitFor(id, 'READY')).n_images;
      steps = followed.steps;
      takenS = (followed.ended_ms - beganMs) / 1000;
    });
    const cpuS = (await cpuSecondsOf(pid)) - cpuBefore;
    const loopDelay = await server.loopDelay();
    const itemsPerS = items / takenS;
    return {
      items,
      items_per_s: Math.round(itemsPerS * 10) / 10,
      bare_items_per_s: Math.round(bare.items_per_s * 10) / 10,
      ratio: round(itemsPerS / bare.items_per_s),
      cpu_ms: {
        bare: round((bare.cpu_s * 1000) / files.length),
        product: round((cpuS * 1000) / items),
        ratio: round(bare.cpu_s / cpuS),
      },
      cpu_ms_by_stage: await cpuByStage(files, encoder),
      steps: steps.map((step) => ({ ...step, idle_s: round(step.wall_s * cores - totalOf(step.cpu_s)) })),
      loop_delay: loopDelay,
      peak_memory: peakMemory,
    };
  } finally {
    await server.stop();
  }
}

function sequence(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, index) => from + index);
}

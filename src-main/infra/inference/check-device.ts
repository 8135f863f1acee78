import { InferenceSession, listSupportedBackends, Tensor } from 'onnxruntime-node';
import { message } from '../../contract/messages.ts';
import type { DevicePayload, DeviceRun } from '../local-jobs/child-protocol.ts';
import { resourceFile } from '../resources.ts';
import { PROCESSOR, sessionOptions } from './session-settings.ts';

/** Supported execution providers in the order in which they are tried. */
const KNOWN_PROVIDERS = ['cuda', 'coreml', 'dml', 'webgpu', PROCESSOR] as const;

/** Side of the square image that the graph takes. */
export const CHECK_SIDE_PX = 96;
const TIMED_RUNS = 5;
/** Devices round more coarsely than the CPU, some to 10 bits. */
const TOLERANCE = 0.02;

/** Handler of `list_devices` jobs: the execution providers of this build of ONNX Runtime, whether they work or not. */
export async function listDevices(): Promise<string[]> {
  const names = listSupportedBackends().map(({ name }) => name);
  return KNOWN_PROVIDERS.filter((name) => names.includes(name));
}

/**
 * Handler of `check_device` jobs: runs a small graph of convolutions on a device, compares the output with that of the CPU, and measures how
 * much faster it is. A driver may crash the process, which counts as not working.
 */
export async function checkDevice(payload: unknown): Promise<DeviceRun> {
  const { provider, threads } = payload as DevicePayload;
  const graph = resourceFile('models', 'device-check.onnx');
  const reference = await measure(graph, PROCESSOR, threads);
  if (provider === PROCESSOR) return { works: true, speed: 1 };
  try {
    const found = await measure(graph, provider, threads);
    const wrong = found.values.some((value, at) => !(Math.abs(value - (reference.values[at] ?? 0)) <= TOLERANCE));
    if (wrong) return { works: false, problem: message('device_wrong') };
    return { works: true, speed: reference.ms / found.ms };
  } catch (error) {
    process.stderr.write(`${provider}: ${String(error)}\n`);
    return { works: false, problem: message('device_unusable') };
  }
}

async function measure(
  graph: string,
  provider: string,
  threads: number,
): Promise<{ values: Float32Array; ms: number }> {
  const session = await InferenceSession.create(graph, sessionOptions({ executionProviders: [provider], threads }));
  try {
    const input = new Tensor('float32', sequence(3 * CHECK_SIDE_PX ** 2), [1, 3, CHECK_SIDE_PX, CHECK_SIDE_PX]);
    // The first run allocates what later runs use again.
    await session.run({ image: input });
    const startedMs = performance.now();
    let values: unknown;
    for (let run = 0; run < TIMED_RUNS; run += 1) values = (await session.run({ image: input })).sums?.data;
    if (!(values instanceof Float32Array)) throw new Error('The graph gave no floats.');
    return { values, ms: (performance.now() - startedMs) / TIMED_RUNS };
  } finally {
    await session.release();
  }
}

/** Pseudo-random numbers between -1 and 1 from a fixed seed. */
export function sequence(length: number): Float32Array {
  let state = 1;
  return Float32Array.from({ length }, () => {
    state = (state * 48_271) % 2_147_483_647;
    return (state / 2_147_483_647) * 2 - 1;
  });
}

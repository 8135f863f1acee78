import type { InferenceSession } from 'onnxruntime-node';

/** The CPU, the execution provider that always exists. */
export const PROCESSOR = 'cpu';

/** Settings with which a process runs the graphs of a model. */
export interface SessionSettings {
  /** Execution providers of ONNX Runtime in order of preference; `cpu` is last and runs what the others cannot. */
  executionProviders: readonly string[];
  /** Threads within one operator. */
  threads: number;
}

/** The settings as options of ONNX Runtime. Operators run one after the other, since work is spread over processes. */
export function sessionOptions({ executionProviders, threads }: SessionSettings): InferenceSession.SessionOptions {
  return {
    executionProviders: [...executionProviders],
    intraOpNumThreads: threads,
    interOpNumThreads: 1,
    executionMode: 'sequential',
    logSeverityLevel: 3,
    // Without it, products of 8-bit numbers overflow on processors without VNNI instructions, and quantised models are wrong there: see
    // https://onnxruntime.ai/docs/performance/model-optimizations/quantization.html
    extra: { session: { x64quantprecision: '1' } },
  };
}

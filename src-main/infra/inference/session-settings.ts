import type { InferenceSession } from 'onnxruntime-node';

/** The execution provider that is always there. */
export const PROCESSOR = 'cpu';

/** How a process runs the graphs of a model. */
export interface SessionSettings {
  /** Execution providers of ONNX Runtime, the preferred first; `cpu` last takes what the others cannot. */
  executionProviders: readonly string[];
  /** Threads within one operator. */
  threads: number;
}

/** The same, as ONNX Runtime takes it. Operators run one after the other: parallel work is spread over processes. */
export function sessionOptions({ executionProviders, threads }: SessionSettings): InferenceSession.SessionOptions {
  return {
    executionProviders: [...executionProviders],
    intraOpNumThreads: threads,
    interOpNumThreads: 1,
    executionMode: 'sequential',
    logSeverityLevel: 3,
  };
}

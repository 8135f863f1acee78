import { InferenceSession, type Tensor } from 'onnxruntime-node';
import { readOnnx } from '../models/onnx-reader.ts';
import { PROCESSOR, type SessionSettings, sessionOptions } from './session-settings.ts';

/** A loaded graph on an execution provider; falls back to the CPU when the provider cannot load or run it. */
export interface ModelSession {
  /** The execution provider that runs the graph now. */
  readonly provider: string;
  readonly inputs: readonly InferenceSession.ValueMetadata[];
  readonly outputs: readonly InferenceSession.ValueMetadata[];
  run(feeds: Record<string, Tensor>): Promise<InferenceSession.OnnxValueMapType>;
  release(): Promise<void>;
}

/** Loads a graph. @throws the error of ONNX Runtime when the CPU cannot load it either. */
export async function openModelSession(file: string, settings: SessionSettings): Promise<ModelSession> {
  const folding = (await quantisesWeightsOnly(file)) ? FOLD_WEIGHTS : {};
  const open = (chosen: SessionSettings) => InferenceSession.create(file, { ...sessionOptions(chosen), ...folding });
  let { opened: session, provider } = await openWhereItCan(settings, open);
  return {
    get provider() {
      return provider;
    },
    inputs: session.inputMetadata,
    outputs: session.outputMetadata,
    run: async (feeds) => {
      try {
        return await session.run(feeds);
      } catch (error) {
        if (provider === PROCESSOR) throw error;
        // Some providers detect only at run time that they lack an operator or memory.
        process.stderr.write(`${provider} cannot run the model, the processor takes over: ${String(error)}\n`);
        const onProcessor = await open({ ...settings, executionProviders: [PROCESSOR] });
        const result = await onProcessor.run(feeds);
        await session.release();
        [session, provider] = [onProcessor, PROCESSOR];
        return result;
      }
    },
    release: () => session.release(),
  };
}

/** Opens a model on the first execution provider of the settings, or on the CPU when that fails. */
export async function openWhereItCan<T>(
  settings: SessionSettings,
  open: (settings: SessionSettings) => Promise<T>,
): Promise<{ opened: T; provider: string }> {
  const provider = settings.executionProviders[0] ?? PROCESSOR;
  if (provider !== PROCESSOR) {
    try {
      return { opened: await open(settings), provider };
    } catch (error) {
      process.stderr.write(`${provider} cannot hold the model, the processor takes it: ${String(error)}\n`);
    }
  }
  return { opened: await open({ ...settings, executionProviders: [PROCESSOR] }), provider: PROCESSOR };
}

/**
 * Converts weights that are stored in 8 bits to floats once, at loading. ONNX Runtime otherwise keeps them for integer operators, which need
 * quantised inputs as well; without such inputs it only loses its fast convolutions.
 */
const FOLD_WEIGHTS: InferenceSession.SessionOptions = { extra: { session: { disable_quant_qdq: '1' } } };

/** Whether weights are stored in 8 bits but used as floats. False for a file that is no graph, which ONNX Runtime refuses. */
export async function quantisesWeightsOnly(file: string): Promise<boolean> {
  const { operators } = await readOnnx(file).catch(() => ({ operators: [] as string[] }));
  return operators.includes('DequantizeLinear') && !operators.some((kind) => QUANTISE.has(kind));
}

const QUANTISE = new Set(['QuantizeLinear', 'DynamicQuantizeLinear']);

import { InferenceSession, type Tensor } from 'onnxruntime-node';
import { PROCESSOR, type SessionSettings, sessionOptions } from './session-settings.ts';

/** A loaded graph on an execution provider, which gives way to the processor when it cannot load or run the graph. */
export interface ModelSession {
  /** The execution provider that runs the graph now. */
  readonly provider: string;
  readonly inputs: readonly InferenceSession.ValueMetadata[];
  readonly outputs: readonly InferenceSession.ValueMetadata[];
  run(feeds: Record<string, Tensor>): Promise<InferenceSession.OnnxValueMapType>;
  release(): Promise<void>;
}

/** Loads a graph. @throws whatever ONNX Runtime says when not even the processor can hold it. */
export async function openModelSession(file: string, settings: SessionSettings): Promise<ModelSession> {
  const open = (chosen: SessionSettings) => InferenceSession.create(file, sessionOptions(chosen));
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
        // Some providers find out only now that they lack an operator or memory.
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

/** Opens something on the first execution provider of the settings, or on the processor when that cannot hold it. */
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

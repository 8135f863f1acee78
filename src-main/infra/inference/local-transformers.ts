import { existsSync } from 'node:fs';

export type Transformers = typeof import('@huggingface/transformers');

let opening: Promise<Transformers> | undefined;

/**
 * transformers.js, loaded when first needed and bound to this machine: files come from the folders it is given and from nowhere else, no
 * copy of them is kept, and it writes no log of its own (it would print whole tensors on a failure).
 */
export function localTransformers(): Promise<Transformers> {
  opening ??= import('@huggingface/transformers').then((library) => {
    const { env, LogLevel } = library;
    env.allowRemoteModels = false;
    env.allowLocalModels = true;
    env.remoteHost = NO_HUB;
    env.remotePathTemplate = '{model}';
    env.fetch = () => Promise.reject(new Error('models are never fetched'));
    env.useBrowserCache = false;
    env.useFSCache = false;
    env.useWasmCache = false;
    env.useCustomCache = true;
    env.customCache = graphsByPath;
    env.logLevel = LogLevel.NONE;
    return library;
  });
  return opening;
}

/** Stands where the hub's address would: nothing can be fetched from it. */
const NO_HUB = 'nowhere:';

/** A graph, or weights that lie beside it. */
const GRAPH_FILE = /\.onnx(_data(_\d+)?)?$/;

/**
 * Names graphs by their path, so that the runtime reads them from disk. Without it the library also reads every graph into memory, where
 * nobody takes it. It asks twice: by the file's path, then by an address under {@link NO_HUB} with the path in it.
 */
const graphsByPath = {
  match: async (request: string): Promise<string | undefined> => {
    if (!GRAPH_FILE.test(request)) return undefined;
    const path = request.startsWith(NO_HUB) ? request.slice(NO_HUB.length) : request;
    // Paths of Windows come with a slash before the drive.
    return [path, path.slice(1)].find((file) => existsSync(file));
  },
  put: async (): Promise<void> => undefined,
};

/**
 * What loading takes from a folder of a model: graphs on the CPU until the session's own providers say otherwise, which keeps the
 * providers that a downloaded `config.json` may name from being used.
 */
export const LOCAL_FILES = { local_files_only: true, device: 'cpu' } as const;

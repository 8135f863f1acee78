import { existsSync } from 'node:fs';

export type Transformers = typeof import('@huggingface/transformers');

let opening: Promise<Transformers> | undefined;

/**
 * transformers.js, loaded when first needed and restricted to local files: it reads only the folders that it is given, never downloads,
 * caches no copies, and writes no log of its own (it would print whole tensors on a failure).
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

/** Replaces the hub's address, so that nothing can be fetched. */
const NO_HUB = 'nowhere:';

/** A graph, or a file of its weights. */
const GRAPH_FILE = /\.onnx(_data(_\d+)?)?$/;

/**
 * Returns the path of a graph, so that the runtime reads it from disk. Without it the library also reads every graph into memory for
 * nothing. It is called twice: with the file's path, then with an address under {@link NO_HUB} that contains the path.
 */
const graphsByPath = {
  match: async (request: string): Promise<string | undefined> => {
    if (!GRAPH_FILE.test(request)) return undefined;
    const path = request.startsWith(NO_HUB) ? request.slice(NO_HUB.length) : request;
    // Paths of Windows have a slash before the drive here.
    return [path, path.slice(1)].find((file) => existsSync(file));
  },
  put: async (): Promise<void> => undefined,
};

/**
 * Options for loading a model from a folder. The CPU is the default that the session's providers override, so that providers which a
 * downloaded `config.json` names are not used.
 */
export const LOCAL_FILES = { local_files_only: true, device: 'cpu' } as const;

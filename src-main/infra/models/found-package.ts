import { readdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { AppError } from '../../contract/errors.ts';
import { message } from '../../contract/messages.ts';
import {
  type ModelDefinition,
  modelDefinition,
  type PackageDefinition,
  type Runner,
} from '../../contract/schemas/model-definition.ts';
import { modelFilesOf } from '../inference/model-files.ts';
import type { PackageContents } from './package-folder.ts';

/** A package that was found in a folder and can be copied. */
export interface FoundPackage extends PackageContents {
  /** Absolute paths of its files by their paths in the package; files that come with the definition have none. */
  sources: Map<string, string>;
}

/** Names that transformers.js gives to the files of a variant of the weights (its `utils/dtypes`), in the order of preference. */
const VARIANTS: readonly (readonly [dtype: string, suffix: string])[] = [
  ['fp32', ''],
  ['fp16', '_fp16'],
  ['q8', '_quantized'],
  ['int8', '_int8'],
  ['uint8', '_uint8'],
  ['q4', '_q4'],
  ['q4f16', '_q4f16'],
  ['bnb4', '_bnb4'],
];

/** Sessions that transformers.js opens for a captioner (its `models/session_config`). */
export const CAPTIONER_GRAPHS: Record<Extract<Runner, { kind: 'captioner' }>['architecture'], readonly string[]> = {
  vision_encoder_decoder: ['encoder_model', 'decoder_model_merged'],
  florence2: ['vision_encoder', 'embed_tokens', 'encoder_model', 'decoder_model_merged'],
  idefics3: ['vision_encoder', 'embed_tokens', 'decoder_model_merged'],
};

/** Returns the graph of the given name in the first existing variant. @throws AppError `invalid_request`. */
export async function findVariant(folder: string, graph: string): Promise<{ path: string; dtype: string }> {
  for (const [dtype, suffix] of VARIANTS) {
    const path = `onnx/${graph}${suffix}.onnx`;
    if (await isFile(join(folder, path))) return { path, dtype };
  }
  throw missing(`onnx/${graph}.onnx`);
}

/** Returns the files of the package's folder that a runner opens. */
export function filesOfRunner(runner: Runner): string[] {
  if (runner.kind === 'precomputed') return [runner.file];
  if (runner.kind === 'captioner') {
    const { dtype } = runner;
    return CAPTIONER_GRAPHS[runner.architecture].map((graph) => {
      const chosen = typeof dtype === 'string' ? dtype : (dtype[graph] ?? 'fp32');
      const suffix = VARIANTS.find(([name]) => name === chosen)?.[1];
      if (suffix === undefined)
        throw new AppError('invalid_request', message('model_variant_unknown', { variant: chosen }));
      return `onnx/${graph}${suffix}.onnx`;
    });
  }
  return modelFilesOf(runner);
}

/**
 * Creates a package for a user's model from the given files and those beside them: settings of the model, licences.
 * @param id May be taken; {@link FoundPackage} is not yet installed.
 * @throws AppError `invalid_request` that names a file that is missing.
 */
export async function ownPackage(
  folder: string,
  id: string,
  about: Pick<PackageDefinition, 'name' | 'vendor' | 'licence'>,
  models: Omit<ModelDefinition, 'package_id' | 'status' | 'dependencies'>[],
  written: { path: string; content: string }[] = [],
): Promise<FoundPackage> {
  const sources = new Map<string, string>();
  for (const model of models) {
    for (const path of filesOfRunner(model.runner)) {
      if (written.some((file) => file.path === path)) continue;
      if (!(await isFile(join(folder, path)))) throw missing(path);
      sources.set(path, join(folder, path));
    }
  }
  for (const name of await readdir(folder)) {
    if (BESIDE.test(name) && !OURS.has(name) && (await isFile(join(folder, name))))
      sources.set(name, join(folder, name));
  }
  return {
    origin: 'own',
    package: { id, ...about, source: null, files: [...[...sources.keys()].map((path) => ({ path })), ...written] },
    models: models.map((model) =>
      modelDefinition.parse({ ...model, package_id: id, dependencies: dependenciesOf(model) }),
    ),
    sources,
  };
}

const BESIDE = /^(licen[cs]e.*|copying|notice.*|.*\.(json|txt|model|jinja))$/i;
const OURS = new Set(['vitrine.json', 'installed.json']);

function dependenciesOf({ type }: { type: ModelDefinition['type'] }): ModelDefinition['dependencies'] {
  return type === 'CAPTION_OBJECTS' ? ['OBJECT_DETECTION'] : null;
}

/** Returns the name of the model in a folder; in a hub's cache, `models--vendor--name/snapshots/revision`, the name of the repository. */
export function nameOfFolder(folder: string): string {
  const cached = /[\\/]models--(?:.*--)?(.+?)[\\/]snapshots[\\/][^\\/]+$/.exec(folder);
  return cached?.[1] ?? basename(folder);
}

/** Makes an id from a name. */
export function idOfName(name: string): string {
  const id = name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, '-')
    .replace(/^[._-]+/, '')
    .slice(0, 80);
  return id === '' ? 'model' : id;
}

export function missing(path: string): AppError {
  return new AppError('invalid_request', message('model_file_missing', { file: path }));
}

export async function isFile(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}

import { basename, join } from 'node:path';
import { z } from 'zod';
import { AppError } from '../../contract/errors.ts';
import { message } from '../../contract/messages.ts';
import { type ModelCatalogue, modelCatalogue, ownModel } from '../../contract/schemas/model-definition.ts';
import { embeddingColumns } from '../parquet/embedding-columns.ts';
import type { OpenParquet } from '../parquet/parquet-thread.ts';
import {
  type FoundPackage,
  filesOfRunner,
  idOfName,
  isFile,
  missing,
  nameOfFolder,
  ownPackage,
} from './found-package.ts';
import { readJson } from './package-folder.ts';
import { splitFilesOf } from './split-package.ts';

/**
 * Recognises a folder with `vitrine.json`: a model that the user describes, or a package from the data folder of another Vitrine.
 * @throws AppError `invalid_request` that states what is wrong or missing.
 */
export async function recogniseDescribed(folder: string, catalogue: ModelCatalogue): Promise<FoundPackage | undefined> {
  if (!(await isFile(join(folder, 'vitrine.json')))) return undefined;
  const descriptionFile = await readDescription(folder);
  if ('packages' in descriptionFile) return recogniseInstalled(folder, descriptionFile, catalogue);
  const { name, vendor, licence, description, type, runner, calibration } = descriptionFile;
  const id = idOfName(nameOfFolder(folder));
  const about = { name: name ?? nameOfFolder(folder), vendor: vendor ?? '', licence: licence ?? '' };
  const model = {
    id,
    name: about.name,
    type,
    description: description ?? '',
    runner,
    ...(calibration && { calibration }),
  };
  return ownPackage(folder, id, about, [model]);
}

async function recogniseInstalled(
  folder: string,
  contents: ModelCatalogue,
  catalogue: ModelCatalogue,
): Promise<FoundPackage> {
  const [definition] = contents.packages;
  if (!definition || contents.models.length === 0)
    throw new AppError('invalid_request', message('model_description_empty'));
  const sources = new Map<string, string>();
  const joint = definition.joint_graph?.file;
  const isCut = joint !== undefined && !(await isFile(join(folder, joint)));
  const needed = definition.files.filter(({ content, path }) => content === undefined && !(isCut && path === joint));
  for (const path of [...needed.map((file) => file.path), ...(isCut ? splitFilesOf(definition) : [])]) {
    if (!(await isFile(join(folder, path)))) throw missing(path);
    sources.set(path, join(folder, path));
  }
  const listed = new Set([...definition.files.map(({ path }) => path), ...splitFilesOf(definition)]);
  const unlisted = contents.models.flatMap(({ runner }) => filesOfRunner(runner)).find((path) => !listed.has(path));
  if (unlisted !== undefined) throw missing(unlisted);
  const origin = catalogue.packages.some((one) => one.id === definition.id) ? 'catalogue' : 'own';
  return { origin, package: definition, models: contents.models, sources };
}

async function readDescription(folder: string): Promise<z.infer<typeof ownModel> | ModelCatalogue> {
  let json: unknown;
  try {
    json = await readJson(join(folder, 'vitrine.json'));
  } catch {
    throw new AppError('invalid_request', message('model_description_not_json'));
  }
  const isPackage = typeof json === 'object' && json !== null && 'packages' in json;
  const parsed = isPackage ? modelCatalogue.safeParse(json) : ownModel.safeParse(json);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const place = issue?.path.join('.') || 'as a whole';
  throw new AppError('invalid_request', message('model_description_invalid', { place, detail: issue?.message ?? '' }));
}

/** Rows that are checked before a table of embeddings is accepted. */
const vector = z.array(z.number()).min(2).max(8192);

/**
 * Recognises a Parquet file of embeddings as a model that is never run.
 * @throws AppError `invalid_request` that states what is missing.
 */
export async function recogniseEmbeddings(file: string, openParquet: OpenParquet): Promise<FoundPackage> {
  const name = basename(file).replace(/\.parquet$/i, '');
  const id = idOfName(name);
  const dim = await readEmbeddingDim(file, openParquet);
  return {
    origin: 'own',
    package: { id, name, vendor: '', licence: '', source: null, files: [{ path: VECTORS_FILE }] },
    models: [
      {
        id,
        name,
        type: 'MULTIMODEL_IMAGE_ENCODING',
        package_id: id,
        description: `Vectors of ${dim} numbers that were made elsewhere.`,
        status: 'Active',
        dependencies: null,
        runner: { kind: 'precomputed', file: VECTORS_FILE, dim },
      },
    ],
    sources: new Map([[VECTORS_FILE, file]]),
  };
}

const VECTORS_FILE = 'vectors.parquet';

/** Reads the length of the vectors. @throws AppError `invalid_request` when the file is not a table of vectors of equal length. */
export async function readEmbeddingDim(file: string, openParquet: OpenParquet): Promise<number> {
  const table = await openParquet(file);
  try {
    const columns = embeddingColumns(table.columns);
    for await (const { first_row, rows } of table.rows([columns.item, columns.vector], new AbortController().signal)) {
      const dims = new Set(
        rows.flatMap(([, value], at) => (value === null ? [] : lengthOf(value, first_row + at, columns.vector))),
      );
      const [dim] = dims;
      if (dim === undefined || dims.size !== 1) throw new AppError('invalid_request', message('embeddings_uneven'));
      return dim;
    }
    throw new AppError('invalid_request', message('embeddings_empty'));
  } finally {
    await table.close();
  }
}

function lengthOf(value: unknown, row: number, column: string): number {
  const list = ArrayBuffer.isView(value) ? [...(value as Float32Array)] : value;
  const parsed = vector.safeParse(list);
  if (parsed.success) return parsed.data.length;
  throw new AppError('invalid_request', message('embedding_not_numbers', { row, column }));
}

import { randomUUID } from 'node:crypto';
import { access, constants, mkdir, readdir, rm, stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AppError, isDiskFull } from '../../contract/errors.ts';
import { type Message, message } from '../../contract/messages.ts';
import type { ModelCatalogue, PackageDefinition, RunnerOf } from '../../contract/schemas/model-definition.ts';
import type { ModelRef } from '../../core/ports/inference.ts';
import type { LocalJobs } from '../../core/ports/local-jobs.ts';
import type { ImportResult, InstalledPackage } from '../../core/ports/model-store.ts';
import type { OpenedFolders } from '../../core/ports/opened-folders.ts';
import { DESCRIPTOR_ID } from '../inference/descriptor-shape.ts';
import type { LocalModel, LocalModels } from '../inference/local-models.ts';
import type { OpenParquet } from '../parquet/parquet-thread.ts';
import { ensureRoomFor, onDisk } from './disk-room.ts';
import { type FoundPackage, isFile } from './found-package.ts';
import { readOnnx } from './onnx-reader.ts';
import {
  copyHashed,
  type FileRecord,
  hashFile,
  readPackage,
  readPackages,
  settlePackage,
  writeContent,
} from './package-folder.ts';
import { recogniseCatalogue } from './recognise-catalogue.ts';
import { readEmbeddingDim, recogniseDescribed, recogniseEmbeddings } from './recognise-own.ts';
import { recogniseTransformers } from './recognise-transformers.ts';
import { splitPackage } from './split-package.ts';

export interface ImportParts {
  catalogue: ModelCatalogue;
  openParquet: OpenParquet;
  opened: OpenedFolders;
  /** Folder in which packages are assembled before they are moved to `packagesFolder`; on the same disk. */
  incomingFolder: string;
  packagesFolder: string;
  busy: (packageId: string) => Message | undefined;
  localModels: LocalModels;
  splitEncoder: LocalJobs['splitEncoder'];
  /** Runs a model once. @throws AppError that describes the problem. */
  tryModel: (model: ModelRef) => Promise<void>;
}

/** Maximum depth of the search in subfolders: that of the models in a hub's cache, `models--vendor--name/snapshots/revision`. */
const MAX_DEPTH = 3;
/** Maximum number of folders searched; a path with more is a whole disk or a folder of other content. */
const MAX_FOLDERS = 2000;

/**
 * Copies the models in a folder, or a Parquet file of embeddings; see {@link ModelStore.importFrom}.
 * @throws AppError `invalid_request` when the path cannot be read, `disk_full`, `storage_failed`.
 */
export async function importModels(location: string, parts: ImportParts): Promise<ImportResult> {
  const path = await readablePath(location, parts.opened);
  const result: ImportResult = { imported: [], refused: [] };
  if ((await stat(path)).isDirectory()) {
    const seen = await importFolder(path, 0, { ...parts, left: { folders: MAX_FOLDERS } }, result);
    if (!seen && result.refused.length === 0) {
      result.refused.push({ name: basename(path), problem: message('no_model_in_folder') });
    }
  } else await importFile(path, parts, result);
  return result;
}

/** @returns Whether the folder contained anything that is, or resembles, a model. */
async function importFolder(
  folder: string,
  depth: number,
  parts: ImportParts & { left: { folders: number } },
  result: ImportResult,
): Promise<boolean> {
  parts.left.folders -= 1;
  if (parts.left.folders < 0) {
    throw new AppError('invalid_request', message('too_many_model_folders'));
  }
  const found = await refusing(basename(folder), result, () =>
    readableOnly(() => recogniseFolder(folder, parts.catalogue)),
  );
  for (const one of found ?? []) await install(one, parts, result);
  // A folder that is refused is not searched for parts of a model.
  if (found === undefined || found.length > 0) return true;

  const entries = await readdir(folder, { withFileTypes: true });
  let seen = false;
  for (const { name } of entries.filter((entry) => /\.parquet$/i.test(entry.name))) {
    await importFile(join(folder, name), parts, result);
    seen = true;
  }
  if (depth >= MAX_DEPTH) return seen;
  for (const { name } of entries) {
    const below = join(folder, name);
    if (name.startsWith('.') || !(await stat(below).catch(() => undefined))?.isDirectory()) continue;
    const hasModel = await importFolder(below, depth + 1, parts, result);
    if (!hasModel && depth === 0) result.refused.push({ name, problem: message('no_model_in_folder') });
    seen = true;
  }
  return seen;
}

async function importFile(path: string, parts: ImportParts, result: ImportResult): Promise<void> {
  const name = basename(path);
  const found = await refusing(name, result, async () => {
    if (/\.parquet$/i.test(name)) return recogniseEmbeddings(path, parts.openParquet);
    throw new AppError('invalid_request', message('model_is_single_file'));
  });
  if (found) await install(found, parts, result);
}

async function recogniseFolder(folder: string, catalogue: ModelCatalogue): Promise<FoundPackage[]> {
  const known = await recogniseCatalogue(folder, catalogue);
  if (known.length > 0) return known;
  const own = (await recogniseDescribed(folder, catalogue)) ?? (await recogniseTransformers(folder));
  if (own) return [own];
  const single = (await readdir(folder)).find((name) => /\.onnx$/i.test(name));
  if (single === undefined) return [];
  const requested = catalogue.packages.find((one) => one.files.some((file) => basename(file.path) === single));
  const missing = requested?.files.filter((file) => file.content === undefined && basename(file.path) !== single);
  throw new AppError(
    'invalid_request',
    requested && missing
      ? message('model_file_of_incomplete_package', {
          file: single,
          package: requested.name,
          missing: missing.map((file) => basename(file.path)).join(', '),
        })
      : message('model_description_missing', { file: single }),
  );
}

/** Runs a read. @throws AppError `invalid_request` when the file or folder cannot be read. */
async function readableOnly<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (!['EACCES', 'EPERM', 'EIO'].includes(String(code))) throw error;
    throw new AppError('invalid_request', message('model_folder_unreadable'));
  }
}

/** Runs a part of the import. Adds a refusal to the result and returns undefined. */
async function refusing<T>(name: string, result: ImportResult, work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof AppError) || isDiskFull(error)) throw error;
    result.refused.push({ name, problem: error.reason });
    return undefined;
  }
}

async function install(found: FoundPackage, parts: ImportParts, result: ImportResult): Promise<void> {
  const one = found.origin === 'own' && isOurs(found.package.id, parts.catalogue) ? renamed(found) : found;
  const installed = await refusing(basename(found.package.name), result, async () => {
    const why = parts.busy(one.package.id);
    if (why !== undefined) throw new AppError('conflict', why);
    await assertNamesFree(one, parts);
    return (await alreadyThere(one, parts)) ?? (await copyPackage(one, parts));
  });
  if (installed) result.imported.push(installed);
}

function isOurs(id: string, { packages, models }: ModelCatalogue): boolean {
  return id === DESCRIPTOR_ID || [...packages, ...models].some((one) => one.id === id);
}

function renamed(found: FoundPackage): FoundPackage {
  const id = `${found.package.id}-own`;
  const rename = (modelId: string) => `${id}${modelId.slice(found.package.id.length)}`;
  return {
    ...found,
    package: { ...found.package, id },
    models: found.models.map((model) => ({ ...model, id: rename(model.id), package_id: id })),
  };
}

/** @throws AppError `conflict` when a model has the name of one of another package. */
async function assertNamesFree({ package: { id }, models }: FoundPackage, parts: ImportParts): Promise<void> {
  const installed = await readPackages(parts.packagesFolder);
  const others = [...parts.catalogue.models, ...installed.flatMap((one) => one.models)].filter(
    (model) => model.package_id !== id,
  );
  const taken = new Set([DESCRIPTOR_ID, ...others.map((model) => model.id)]);
  const duplicate = models.find(
    (model, at) => taken.has(model.id) || models.some((one, i) => i < at && one.id === model.id),
  );
  if (duplicate) throw new AppError('conflict', message('model_name_taken', { model: duplicate.id }));
}

/** Returns the installed package if it has exactly these files, unchanged. @throws AppError `conflict` when its files differ. */
async function alreadyThere(found: FoundPackage, parts: ImportParts): Promise<InstalledPackage | undefined> {
  const folder = join(parts.packagesFolder, found.package.id);
  const installed = await readPackage(folder);
  if (!installed) return undefined;
  for (const [path, source] of found.sources) {
    // A joint graph is deleted after it is cut; it was recognised by the hash that the catalogue states.
    if (path === found.package.joint_graph?.file) continue;
    const record = installed.files.find((file) => file.path === path);
    if (record?.size_bytes === (await stat(source)).size && record.sha256 === (await hashFile(source))) continue;
    throw new AppError('conflict', message('model_name_installed', { model: found.package.id }));
  }
  for (const { path, sha256 } of installed.files) {
    if ((await hashFile(join(folder, path))) !== sha256) return undefined;
  }
  return installed;
}

async function copyPackage(found: FoundPackage, parts: ImportParts): Promise<InstalledPackage> {
  for (const [path, source] of [...found.sources]) {
    if (path.endsWith('.onnx')) await addExternalFiles(path, source, found);
  }
  const sizes = await Promise.all([...found.sources.values()].map(async (source) => (await stat(source)).size));
  await ensureRoomFor(
    parts.packagesFolder,
    sizes.reduce((total, size) => total + size, 0),
  );
  const folder = join(parts.incomingFolder, randomUUID());
  try {
    const copied = await onDisk(() => copyFiles(found, folder));
    const files = await splitPackage(folder, found, copied, parts.splitEncoder);
    const definition = found.origin === 'own' ? { ...found.package, files: listedFiles(found) } : found.package;
    for (const { id, type, runner } of found.models) {
      if (runner.kind === 'precomputed') await tryEmbeddings(folder, runner, parts.openParquet);
      else await tryCopied({ model_id: id, type, folder, runner }, parts);
    }
    const to = join(parts.packagesFolder, found.package.id);
    return await onDisk(() => settlePackage(folder, to, { ...found, package: definition }, files));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function tryCopied(model: LocalModel, { localModels, tryModel }: ImportParts): Promise<void> {
  const ref = localModels.add(model, basename(model.folder));
  try {
    await tryModel(ref);
  } finally {
    localModels.remove(ref);
  }
}

async function tryEmbeddings(
  folder: string,
  { file, dim }: RunnerOf<'precomputed'>,
  openParquet: OpenParquet,
): Promise<void> {
  const found = await readEmbeddingDim(join(folder, file), openParquet);
  if (found === dim) return;
  throw new AppError(
    'invalid_request',
    message('embeddings_of_other_dim', { file: basename(file), found, expected: dim }),
  );
}

function listedFiles(found: FoundPackage): PackageDefinition['files'] {
  const written = found.package.files.filter((file) => file.content !== undefined);
  return [...[...found.sources.keys()].map((path) => ({ path })), ...written];
}

async function copyFiles(found: FoundPackage, folder: string): Promise<FileRecord[]> {
  const records: FileRecord[] = [];
  await mkdir(folder, { recursive: true });
  for (const [path, source] of found.sources) {
    const stated = found.package.files.find((file) => file.path === path)?.sha256;
    const record = await copyHashed(source, join(folder, path), path);
    if (stated !== undefined && stated !== record.sha256) {
      throw new AppError('invalid_request', message('model_file_not_of_catalogue', { file: path }));
    }
    records.push(record);
  }
  for (const { path, content } of found.package.files) {
    if (content !== undefined) records.push(await writeContent(folder, path, content));
  }
  return records;
}

/** Checks that a graph is complete, and adds the files that contain its weights. @throws AppError `invalid_request`. */
async function addExternalFiles(path: string, source: string, found: FoundPackage): Promise<void> {
  const { external_files } = await readOnnx(source).catch((error: unknown) => {
    if (!(error instanceof AppError)) throw error;
    throw new AppError(error.code, message('model_file_unusable', { file: basename(path), problem: error.reason }));
  });
  for (const name of external_files) {
    const isBeside = basename(name) === name;
    const beside = join(dirname(source), name);
    if (!isBeside || !(await isFile(beside))) {
      const file = basename(path);
      const detail = message(isBeside ? 'model_weights_missing' : 'model_weights_outside', { weights: name, file });
      throw new AppError('invalid_request', detail);
    }
    found.sources.set(join(dirname(path), name).replaceAll('\\', '/'), beside);
  }
}

/** Resolves a location to a readable path. @throws AppError `invalid_request` that describes the problem. */
async function readablePath(location: string, opened: OpenedFolders): Promise<string> {
  let named = location;
  try {
    if (/^file:/i.test(location)) named = fileURLToPath(location);
  } catch {
    throw new AppError('invalid_request', message('file_url_invalid'));
  }
  if (!isAbsolute(named) || named.includes('\0')) throw new AppError('invalid_request', message('path_not_absolute'));
  const path = await opened.resolve(named);
  try {
    await access(path, (await stat(path)).isDirectory() ? constants.R_OK | constants.X_OK : constants.R_OK);
    return path;
  } catch (error) {
    const isDenied = error instanceof Error && 'code' in error && (error.code === 'EACCES' || error.code === 'EPERM');
    throw new AppError('invalid_request', message(isDenied ? 'path_access_denied' : 'path_not_found'));
  }
}

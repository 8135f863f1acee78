import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { ModelCatalogue } from '../../contract/schemas/model-definition.ts';
import type { ModelRef } from '../../core/ports/inference.ts';
import type { LocalJobs } from '../../core/ports/local-jobs.ts';
import type { ModelStore } from '../../core/ports/model-store.ts';
import type { OpenedFolders } from '../../core/ports/opened-folders.ts';
import type { LocalModels } from '../inference/local-models.ts';
import type { OpenParquet } from '../parquet/parquet-thread.ts';
import { isBundled } from './bundled-files.ts';
import { ensureRoomFor } from './disk-room.ts';
import { createModelDownloader } from './download-package.ts';
import type { FetchSettings } from './fetch-model-file.ts';
import { importModels } from './import-models.ts';
import { DEFINITION_FILE, readJson, readPackage, readPackages, writeJson } from './package-folder.ts';

interface StoredModelsParts {
  /** `<data>/models`. */
  modelsFolder: string;
  /** Returns the current catalogue. */
  catalogue: () => ModelCatalogue;
  /** Registry in which processes find the files of models. */
  localModels: LocalModels;
}

export interface ModelStoreParts extends StoredModelsParts, FetchSettings {
  /** Folder with packages that come with this installation, one folder each; may be missing. */
  bundledFolder: string;
  openParquet: OpenParquet;
  opened: OpenedFolders;
  /** Runs a model once before it is imported. @throws AppError that describes the problem. */
  tryModel: (model: ModelRef) => Promise<void>;
  /** See {@link LocalJobs.splitEncoder}. */
  splitEncoder: LocalJobs['splitEncoder'];
}

/** Reads the packages in a folder that others may change; writes nothing. */
export function createStoredModels({ modelsFolder, catalogue, localModels }: StoredModelsParts) {
  return {
    get catalogue() {
      return catalogue();
    },
    refOf: ({ id, type, runner }, installed) =>
      localModels.add(
        { model_id: id, type, folder: join(modelsFolder, installed.package.id), runner },
        installed.content_hash,
      ),
    fileOf: (packageId, file) => join(modelsFolder, packageId, file),
    scan: () => readPackages(modelsFolder),
    readLabels: async (modelId) => {
      try {
        return z.array(z.string()).parse(await readJson(labelsFileOf(modelsFolder, modelId)));
      } catch {
        return null;
      }
    },
  } satisfies Partial<ModelStore>;
}

const labelsFileOf = (modelsFolder: string, modelId: string) => join(modelsFolder, '.labels', `${modelId}.json`);

/**
 * Stores packages below `<data>/models`, one folder each. Names with a leading dot are not packages: `.incoming` contains packages being
 * copied, `.downloads` packages being downloaded, `.labels` label lists that the user edited, `.known-hashes.json` the hashes of first
 * downloads.
 */
export function createModelStore(parts: ModelStoreParts): ModelStore {
  const { modelsFolder } = parts;
  const incomingFolder = join(modelsFolder, '.incoming');
  const downloadsFolder = join(modelsFolder, '.downloads');
  const downloader = createModelDownloader(parts, {
    downloads_folder: downloadsFolder,
    packages_folder: modelsFolder,
    bundled_folder: parts.bundledFolder,
    known_hashes_file: join(modelsFolder, '.known-hashes.json'),
  });

  const { refOf, fileOf, readLabels, scan } = createStoredModels(parts);

  return {
    get catalogue() {
      return parts.catalogue();
    },
    ...{ refOf, fileOf, readLabels },
    listFiles: async (packageId) => {
      const found = await readPackage(join(modelsFolder, packageId));
      return found ? [DEFINITION_FILE, ...found.files.map(({ path }) => path)] : [];
    },
    scan: async () => {
      await rm(incomingFolder, { recursive: true, force: true });
      return scan();
    },
    isBundled: (definition) => isBundled(parts.bundledFolder, definition),
    receivedBytes: (packageId) => bytesBelow(join(downloadsFolder, packageId)),
    importFrom: (path, busy) =>
      importModels(path, {
        catalogue: parts.catalogue(),
        openParquet: parts.openParquet,
        opened: parts.opened,
        incomingFolder,
        packagesFolder: modelsFolder,
        busy,
        localModels: parts.localModels,
        tryModel: parts.tryModel,
        splitEncoder: parts.splitEncoder,
      }),
    ensureRoom: async (definition) => {
      const stated = definition.files.reduce((total, file) => total + (file.size_bytes ?? 0), 0);
      const received = await bytesBelow(join(downloadsFolder, definition.id));
      await ensureRoomFor(modelsFolder, Math.max(0, stated - received));
    },
    download: (definition, options) => {
      const models = parts.catalogue().models.filter((model) => model.package_id === definition.id);
      return downloader.download({ origin: 'catalogue', package: definition, models }, options);
    },
    remove: async (packageId) => {
      await rm(join(modelsFolder, packageId), { recursive: true, force: true });
      await rm(join(downloadsFolder, packageId), { recursive: true, force: true });
    },
    saveLabels: async (modelId, labels) => {
      if (labels === null) await rm(labelsFileOf(modelsFolder, modelId), { force: true });
      else await writeJson(labelsFileOf(modelsFolder, modelId), labels);
    },
    close: () => downloader.close(),
  };
}

/** Returns the size in bytes of all files below a folder, without Vitrine's own records; 0 when it does not exist. */
async function bytesBelow(folder: string): Promise<number> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true }).catch(() => []);
  const files = entries.filter((entry) => entry.isFile() && !entry.name.startsWith('.'));
  const sizes = await Promise.all(
    files.map((file) => stat(join(file.parentPath, file.name)).then((found) => found.size)),
  );
  return sizes.reduce((total, size) => total + size, 0);
}

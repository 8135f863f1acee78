import { randomUUID } from 'node:crypto';
import { copyFile, mkdir, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError, invalidField } from '../../contract/errors.ts';
import { message } from '../../contract/messages.ts';
import type { ValueFiles, ValueFormat } from '../../core/ports/metadata.ts';
import { readTable, type TableFile } from '../annotations/read-table.ts';
import { readValueRows } from '../dataset-store/metadata/read-value-rows.ts';
import { valueColumns } from '../dataset-store/metadata/read-value-table.ts';
import type { OpenParquet } from '../parquet/parquet-thread.ts';

const FOLDER = 'imports';
/** Maximum size in bytes of files that are parsed before they are accepted, which takes milliseconds. */
const PARSED_BYTES = 256 * 1024;

/** Stores files of values as `datasets/<id>/imports/<name>`; they are deleted with the dataset. */
export function createValueFiles(dataFolder: string, openParquet: OpenParquet): ValueFiles {
  const datasets = join(dataFolder, 'datasets');
  const path = (datasetId: string, name: string) => join(datasets, datasetId, FOLDER, name);
  const remove = (datasetId: string, name: string) => rm(path(datasetId, name), { force: true });
  return {
    path,
    remove,
    keep: async (datasetId, file, format) => {
      if (format.kind === 'json') await assertArray(file);
      else await assertTable(file.path, format, openParquet);
      const name = randomUUID();
      const target = path(datasetId, name);
      await mkdir(join(datasets, datasetId, FOLDER), { recursive: true });
      if (file.owned) await rename(file.path, target);
      else {
        // An incomplete copy has a name that the next sweep deletes.
        try {
          await copyFile(file.path, `${target}.partial`);
          await rename(`${target}.partial`, target);
        } catch (error) {
          await rm(`${target}.partial`, { force: true });
          throw error;
        }
      }
      return name;
    },
    sweep: async (kept) => {
      for (const datasetId of await readdir(datasets)) {
        for (const name of await readdir(join(datasets, datasetId, FOLDER)).catch(() => [])) {
          if (!kept.has(name)) await remove(datasetId, name);
        }
      }
    },
  };
}

/**
 * @throws AppError `invalid_input` when the file is no JSON array: small files are parsed; of large files only the first rows are read.
 */
async function assertArray({ path, size_bytes }: { path: string; size_bytes: number }): Promise<void> {
  const isArray =
    size_bytes <= PARSED_BYTES ? Array.isArray(parse(await readFile(path, 'utf8'))) : await beginsAsArray(path);
  if (!isArray) throw invalidField('file', message('values_not_array'));
}

/** @throws AppError `invalid_request` when columns are missing, or the start of the file is no table. */
async function assertTable(
  path: string,
  { kind, column }: ValueFormat & { kind: 'csv' | 'parquet' },
  open: OpenParquet,
): Promise<void> {
  const { columns, required } = valueColumns(column);
  const file: TableFile = kind === 'csv' ? { path, format: kind } : { path, format: kind, open };
  for await (const _rows of readTable(file, columns, required, new AbortController().signal)) return;
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json.replace(/^\ufeff/, ''));
  } catch {
    return undefined;
  }
}

async function beginsAsArray(path: string): Promise<boolean> {
  try {
    for await (const _rows of readValueRows(path, () => undefined)) return true;
    return true;
  } catch (error) {
    if (error instanceof AppError && error.code === 'invalid_request') return false;
    throw error;
  }
}

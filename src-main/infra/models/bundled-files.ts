import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { PackageDefinition } from '../../contract/schemas/model-definition.ts';
import { copyHashed, type FileRecord } from './package-folder.ts';

type PackageFile = PackageDefinition['files'][number];

/*
 * Packages that come with an installation: a release build copies them to `resources/models/<package>/<path>`.
 */

/** Whether all files of a package are there in their stated sizes. */
export async function isBundled(bundledFolder: string, { id, files }: PackageDefinition): Promise<boolean> {
  const fetched = files.filter((file) => file.content === undefined);
  if (fetched.length === 0) return false;
  const there = await Promise.all(fetched.map((file) => isThere(join(bundledFolder, id, file.path), file)));
  return there.every(Boolean);
}

/** Copies a file into the folder of its package. @returns Undefined when the file is missing, or not the one that the catalogue states. */
export async function copyBundled(
  bundledFolder: string,
  { id }: PackageDefinition,
  file: PackageFile,
  toFolder: string,
): Promise<FileRecord | undefined> {
  const source = join(bundledFolder, id, file.path);
  if (!(await isThere(source, file))) return undefined;
  const target = join(toFolder, file.path);
  const record = await copyHashed(source, target, file.path);
  if (file.sha256 === undefined || record.sha256 === file.sha256) return record;
  await rm(target, { force: true });
  return undefined;
}

async function isThere(path: string, { size_bytes }: PackageFile): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  return found?.isFile() === true && (size_bytes === undefined || found.size === size_bytes);
}

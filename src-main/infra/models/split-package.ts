import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { PackageDefinition, Runner } from '../../contract/schemas/model-definition.ts';
import type { LocalJobs } from '../../core/ports/local-jobs.ts';
import { type FileRecord, hashFile, type PackageContents } from './package-folder.ts';

/** Returns the files that are written when the package's joint graph is cut; none for other packages. */
export function splitFilesOf({ joint_graph }: PackageDefinition): string[] {
  return joint_graph ? [joint_graph.image_file, joint_graph.text_file, joint_graph.logit_scale_file] : [];
}

/**
 * Cuts the joint graph of a package into graphs for images and for texts, and deletes it. Does nothing for other packages, and for one whose
 * graph is cut already.
 * @param files Records of the package's files.
 * @returns Records of the files that the folder has afterwards.
 * @throws AppError as {@link LocalJobs.splitEncoder}.
 */
export async function splitPackage(
  folder: string,
  { package: definition, models }: Pick<PackageContents, 'package' | 'models'>,
  files: FileRecord[],
  splitEncoder: LocalJobs['splitEncoder'],
  signal?: AbortSignal,
): Promise<FileRecord[]> {
  const { joint_graph: joint } = definition;
  if (!joint || !files.some(({ path }) => path === joint.file)) return files;
  const input = models.map(({ runner }) => inputOf(runner)).find((one) => one !== undefined);
  if (!input) throw new Error(`${definition.id} has no encoder of images`);
  const { width_px, height_px } = input;
  await splitEncoder({ folder, joint, width_px, height_px }, signal);
  const parts = await Promise.all(
    splitFilesOf(definition).map(async (path) => {
      const file = join(folder, path);
      return { path, size_bytes: (await stat(file)).size, sha256: await hashFile(file) };
    }),
  );
  await rm(join(folder, joint.file));
  return [...files.filter(({ path }) => path !== joint.file), ...parts];
}

function inputOf(runner: Runner) {
  if (runner.kind === 'image_encoder') return runner.input;
  return runner.kind === 'zero_shot' ? runner.encoder.input : undefined;
}

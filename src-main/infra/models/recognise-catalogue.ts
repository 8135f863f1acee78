import { readdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { AppError } from '../../contract/errors.ts';
import { message } from '../../contract/messages.ts';
import type { ModelCatalogue, PackageDefinition } from '../../contract/schemas/model-definition.ts';
import { type FoundPackage, isFile } from './found-package.ts';
import { hashFile } from './package-folder.ts';

/**
 * Finds packages of the catalogue whose files are in a folder, at their paths or all in one folder.
 * @throws AppError `invalid_request` when a file has the name of a file of the catalogue but different content.
 */
export async function recogniseCatalogue(folder: string, catalogue: ModelCatalogue): Promise<FoundPackage[]> {
  const found: FoundPackage[] = [];
  for (const definition of catalogue.packages) {
    const sources = await locateFiles(folder, definition);
    if (!sources || !(await isThisPackage(definition, sources))) continue;
    for (const name of await readdir(folder)) {
      if (/^(licen[cs]e|notice)/i.test(name) && (await isFile(join(folder, name))))
        sources.set(name, join(folder, name));
    }
    const models = catalogue.models.filter((model) => model.package_id === definition.id);
    found.push({ origin: 'catalogue', package: definition, models, sources });
  }
  return found;
}

async function locateFiles(folder: string, definition: PackageDefinition): Promise<Map<string, string> | undefined> {
  const sources = new Map<string, string>();
  for (const { path, content } of definition.files) {
    if (content !== undefined) continue;
    const places = [join(folder, path), join(folder, basename(path))];
    const there = await Promise.all(places.map(isFile));
    const place = places[there.indexOf(true)];
    if (place === undefined) return undefined;
    sources.set(path, place);
  }
  return sources;
}

/**
 * File names such as `config.json` do not identify a model. In that case the stated hashes decide; without hashes the folder does not count
 * as a model of the catalogue.
 */
async function isThisPackage(definition: PackageDefinition, sources: Map<string, string>): Promise<boolean> {
  const isGeneric = definition.files.some((file) => file.path === 'config.json');
  let isProven = false;
  for (const file of definition.files) {
    const source = sources.get(file.path);
    if (source === undefined || file.sha256 === undefined) continue;
    const sizeDiffers = file.size_bytes !== undefined && (await stat(source)).size !== file.size_bytes;
    if (!sizeDiffers && (await hashFile(source)) === file.sha256) isProven = true;
    else if (isGeneric) return false;
    else {
      const detail = message('model_file_not_of_package', { file: basename(source), package: definition.name });
      throw new AppError('invalid_request', detail);
    }
  }
  return isProven || !isGeneric;
}

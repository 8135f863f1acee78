import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createZip } from '../exports/zip-file.ts';
import { findResources } from '../resources.ts';

/** The file that a job runs. */
export const PROGRAM = 'apply_model.py';
const FILES = [PROGRAM, 'captions.py', 'graphs.py', 'images.py', 'outputs.py', 'results.py'];
/** Equal programs give equal archives, which a cluster receives once. */
const CREATED_AT = new Date('2020-01-01T00:00:00Z');

/** Returns the program for Ray as the ZIP archive of a working directory. */
export async function packProgram(temporaryFolder: string): Promise<Buffer<ArrayBuffer>> {
  const folder = programFolder();
  const path = join(temporaryFolder, `${randomUUID()}.zip`);
  try {
    const zip = createZip(path, CREATED_AT);
    for (const name of FILES) await zip.addText(name, await readFile(join(folder, name), 'utf8'));
    await zip.end();
    return await readFile(path);
  } finally {
    await rm(path, { force: true });
  }
}

/** Installed apps have the program among their resources; a checkout has it in `integrations/`. */
function programFolder(): string {
  const resources = findResources();
  const places = [join(resources, 'ray'), join(resources, '..', 'integrations', 'ray')];
  const found = places.find((folder) => existsSync(join(folder, PROGRAM)));
  if (found === undefined) throw new Error('the program for Ray that comes with the product is missing');
  return found;
}

import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

interface CataloguePackage {
  id: string;
  source: { hub_repository: string; revision: string };
  files: { path: string; size_bytes: number; sha256: string }[];
  recommended?: boolean;
}

/**
 * Puts the recommended encoder of the catalogue into `<folder>/<package>`, where an installed app finds it without a network. A file that
 * is there and has its hash is kept.
 * @param hub Address of the hub, or of a mirror with the same paths.
 * @throws Error when a file cannot be fetched or is not the one of the catalogue.
 */
export async function fetchEncoder(catalogueFile: string, folder: string, hub: string): Promise<string> {
  const { packages } = JSON.parse(readFileSync(catalogueFile, 'utf8')) as { packages: CataloguePackage[] };
  const encoder = packages.find(({ recommended }) => recommended);
  if (encoder === undefined) throw new Error('The catalogue recommends no encoder');
  const { hub_repository: repository, revision } = encoder.source;
  for (const { path, sha256 } of encoder.files) {
    const to = join(folder, encoder.id, path);
    if (existsSync(to) && hashOf(readFileSync(to)) === sha256) continue;
    const address = `${hub}/${repository}/resolve/${revision}/${path}`;
    const answer = await fetch(address);
    if (!answer.ok) throw new Error(`${address} answered ${answer.status}`);
    const bytes = Buffer.from(await answer.arrayBuffer());
    if (hashOf(bytes) !== sha256) throw new Error(`${path} of ${encoder.id} is not the file of the catalogue`);
    mkdirSync(dirname(to), { recursive: true });
    writeFileSync(`${to}.new`, bytes);
    renameSync(`${to}.new`, to);
  }
  return encoder.id;
}

function hashOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}

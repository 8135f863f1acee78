import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';
import {
  type ModelDefinition,
  modelCatalogue,
  type PackageDefinition,
} from '../../contract/schemas/model-definition.ts';
import type { InstalledPackage } from '../../core/ports/model-store.ts';

/** Size and hash of a file when it was received or copied. */
export interface FileRecord {
  path: string;
  size_bytes: number;
  sha256: string;
}

/** A package and its models, before or after installation. */
export interface PackageContents {
  package: PackageDefinition;
  models: ModelDefinition[];
  origin: InstalledPackage['origin'];
}

export const DEFINITION_FILE = 'vitrine.json';
const RECORD_FILE = 'installed.json';

const installRecord = z.object({
  origin: z.enum(['catalogue', 'own']),
  installed_at: z.string(),
  files: z.array(z.object({ path: z.string(), size_bytes: z.int(), sha256: z.string() })),
});

/** Writes the definition into a folder with all files of a package and moves it to its final path. Replaces an existing package. */
export async function settlePackage(
  from: string,
  to: string,
  contents: PackageContents,
  files: FileRecord[],
): Promise<InstalledPackage> {
  const { origin, package: definition, models } = contents;
  const installedAt = new Date().toISOString();
  await writeJson(join(from, DEFINITION_FILE), { packages: [definition], models });
  await writeJson(join(from, RECORD_FILE), { origin, installed_at: installedAt, files });
  await rm(to, { recursive: true, force: true });
  await rename(from, to);
  return {
    package: definition,
    models,
    origin,
    installed_at: installedAt,
    size_bytes: sum(files),
    content_hash: hashOf(files),
  };
}

/** Reads a package's folder; undefined when a file is missing or has another size. */
export async function readPackage(folder: string): Promise<(InstalledPackage & { files: FileRecord[] }) | undefined> {
  try {
    const { packages, models } = modelCatalogue.parse(await readJson(join(folder, DEFINITION_FILE)));
    const { origin, installed_at, files } = installRecord.parse(await readJson(join(folder, RECORD_FILE)));
    const [definition] = packages;
    if (!definition || !(await allThere(folder, files))) return undefined;
    return {
      package: definition,
      models,
      origin,
      installed_at,
      size_bytes: sum(files),
      content_hash: hashOf(files),
      files,
    };
  } catch {
    return undefined;
  }
}

/** Reads all packages in a folder; names with a leading dot are no packages. */
export async function readPackages(packagesFolder: string): Promise<InstalledPackage[]> {
  const entries = await readdir(packagesFolder, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory() && !entry.name.startsWith('.')).map(({ name }) => name);
  const found = await Promise.all(names.map((name) => readPackage(join(packagesFolder, name))));
  return found.filter((one, at) => one?.package.id === names[at]).filter((one) => one !== undefined);
}

async function allThere(folder: string, files: FileRecord[]): Promise<boolean> {
  const sizes = await Promise.all(files.map(async ({ path }) => (await stat(join(folder, path))).size));
  return files.every((file, at) => file.size_bytes === sizes[at]);
}

/** Returns the SHA-256 of a file in hexadecimal digits. */
export async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}

/** Copies a file of the package. */
export async function copyHashed(from: string, to: string, path: string): Promise<FileRecord> {
  await mkdir(dirname(to), { recursive: true });
  const hash = createHash('sha256');
  let sizeBytes = 0;
  const measure = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      sizeBytes += chunk.length;
      done(null, chunk);
    },
  });
  await pipeline(createReadStream(from), measure, createWriteStream(to));
  return { path, size_bytes: sizeBytes, sha256: hash.digest('hex') };
}

/** Writes a file of the package that comes with its definition. */
export async function writeContent(folder: string, path: string, text: string): Promise<FileRecord> {
  await mkdir(dirname(join(folder, path)), { recursive: true });
  await writeFile(join(folder, path), text);
  return { path, size_bytes: Buffer.byteLength(text), sha256: createHash('sha256').update(text).digest('hex') };
}

/** Writes a JSON file atomically. */
export async function writeJson(path: string, value: unknown): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(`${path}.new`, `${JSON.stringify(value, null, 2)}\n`);
  await rename(`${path}.new`, path);
}

export async function readJson(path: string): Promise<unknown> {
  return JSON.parse(await readFile(path, 'utf8'));
}

function sum(files: FileRecord[]): number {
  return files.reduce((total, file) => total + file.size_bytes, 0);
}

/** Returns the SHA-256 over the paths and hashes of a package's files. */
function hashOf(files: FileRecord[]): string {
  const lines = files.map(({ path, sha256 }) => `${sha256} ${path}\n`).sort();
  return createHash('sha256').update(lines.join('')).digest('hex');
}

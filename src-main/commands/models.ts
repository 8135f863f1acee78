import { resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { AppError } from '../contract/errors.ts';
import { message } from '../contract/messages.ts';
import type { ModelPackage } from '../contract/schemas/model.ts';
import type { Caller } from './caller.ts';

const POLL_MS = 200;
const PERCENT_STEP = 10;
const BYTES_PER_MB = 1_000_000;

/** The command `npm run models`: lists the packages of models. @returns The exit code, 0. */
export async function listModels(
  call: Caller,
  options: { json: boolean },
  print: (line: string) => void,
): Promise<number> {
  const { packages } = await call('list_packages', {});
  if (options.json) print(JSON.stringify({ packages }));
  else for (const one of packages) print(lineOf(one));
  return 0;
}

/**
 * The command `npm run models -- --recommended`: installs the recommended package, by a download or from a folder.
 * @param options `from`: folder with its files; undefined to download them.
 * @returns The exit code: 0 when the package is installed, 1 when it is not.
 */
export async function installRecommended(
  call: Caller,
  options: { from: string | undefined },
  say: (line: string) => void,
): Promise<number> {
  const encoder = (await call('list_packages', {})).packages.find(({ recommended }) => recommended);
  if (!encoder) throw new AppError('not_found', message('no_model_recommended'));
  if (encoder.state === 'installed') {
    say(`${encoder.name} is already installed`);
    return 0;
  }
  if (options.from !== undefined) return importFrom(call, encoder, resolve(options.from), say);
  if (encoder.state !== 'downloading') await call('download_package', { package_id: encoder.package_id });
  return follow(call, encoder, say);
}

async function importFrom(
  call: Caller,
  { package_id, name }: ModelPackage,
  path: string,
  say: (line: string) => void,
): Promise<number> {
  const { imported, refused } = await call('import_models', { path });
  for (const one of refused) say(`${one.name}: ${one.reason}`);
  if (imported.some((one) => one.package_id === package_id)) {
    say(`Installed ${name}`);
    return 0;
  }
  say(`The folder does not have the files of ${name}`);
  return 1;
}

/** Prints the progress of a download until it has ended. */
async function follow(call: Caller, { package_id }: ModelPackage, say: (line: string) => void): Promise<number> {
  for (let shown = ''; ; await wait(POLL_MS)) {
    const one = (await call('list_packages', {})).packages.find((known) => known.package_id === package_id);
    if (!one) throw new AppError('not_found', message('model_left_catalogue'));
    if (one.state === 'installed') {
      say(`Installed ${one.name}`);
      return 0;
    }
    if (one.state !== 'downloading') {
      say(one.failure_reason ?? 'The download was stopped');
      return 1;
    }
    const line = progressOf(one);
    if (line !== shown) say(line);
    shown = line;
  }
}

function progressOf({ name, received_bytes, size_bytes }: ModelPackage): string {
  if (size_bytes === null || size_bytes === 0) return `Downloading ${name}`;
  const percent = Math.floor((received_bytes / size_bytes) * (100 / PERCENT_STEP)) * PERCENT_STEP;
  return `Downloading ${name}: ${Math.min(100, percent)} %`;
}

const STATES: Record<ModelPackage['state'], string> = {
  installed: 'installed',
  downloading: 'downloading',
  failed: 'failed',
  not_installed: 'available',
};

function lineOf({ package_id, name, state, size_bytes, licence, recommended }: ModelPackage): string {
  const size = size_bytes === null ? [] : [`${Math.ceil(size_bytes / BYTES_PER_MB)} MB`];
  const facts = [...size, licence, ...(recommended ? ['recommended'] : [])].filter((fact) => fact !== '');
  return `${STATES[state].padEnd(11)} ${package_id}: ${name} (${facts.join(', ')})`;
}

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { openAsBlob } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join, relative, resolve, sep } from 'node:path';
import { createInterface } from 'node:readline';
import type { FilePart } from './api-types.ts';
import { Vitrine } from './vitrine.ts';
import { VitrineError } from './vitrine-error.ts';

export interface LocalOptions {
  /** Data folder (default: `VITRINE_DATA`, else the folder of the desktop app). */
  data?: string;
  /** Program and arguments that start a server (default: `VITRINE_COMMAND`, else `vitrine serve`). */
  command?: readonly string[];
}

/** A client of a server on this computer. */
export interface LocalVitrine extends AsyncDisposable {
  vitrine: Vitrine;
  /** Whether {@link openLocal} started the server. */
  isStarted: boolean;
  /** Stops the server if {@link openLocal} started it. */
  close(): Promise<void>;
}

/** Default data folder: `VITRINE_DATA`, else the platform's folder for application data. */
export function defaultDataFolder(): string {
  const { VITRINE_DATA, APPDATA, XDG_DATA_HOME } = process.env;
  if (VITRINE_DATA) return VITRINE_DATA;
  if (process.platform === 'win32') return join(APPDATA ?? join(homedir(), 'AppData', 'Roaming'), 'Vitrine');
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Application Support', 'Vitrine');
  return join(XDG_DATA_HOME || join(homedir(), '.local', 'share'), 'vitrine');
}

/** Returns a client of the server that uses a data folder, or undefined if none does. */
export async function findLocal({ data = defaultDataFolder() }: LocalOptions = {}): Promise<Vitrine | undefined> {
  // The server writes this file, which only its user can read, when it listens.
  const written = await readFile(join(data, 'address'), 'utf8').catch(() => undefined);
  if (written === undefined) return undefined;
  const { base_url, key } = JSON.parse(written) as { base_url: string; key: string };
  const vitrine = new Vitrine({ baseUrl: base_url, credentials: { token: key } });
  // A server that was killed leaves its file.
  const isThere = await vitrine.api.healthcheck().then(
    () => true,
    () => false,
  );
  return isThere ? vitrine : undefined;
}

/**
 * Opens the server that uses a data folder, or starts one if there is none.
 * @throws VitrineError `unavailable` when no server can be started.
 */
export async function openLocal(options: LocalOptions = {}): Promise<LocalVitrine> {
  const running = await findLocal(options);
  if (running) return localOf(running, false, async () => undefined);
  const data = resolve(options.data ?? defaultDataFolder());
  const fromEnvironment = process.env.VITRINE_COMMAND?.split(' ').filter((word) => word !== '');
  const [program = 'vitrine', ...rest] = options.command ?? fromEnvironment ?? ['vitrine', 'serve'];
  const child = spawn(program, [...rest, '--port', '0', '--data', data], { stdio: ['ignore', 'pipe', 'pipe'] });
  let failure = '';
  child.stderr.on('data', (text: Buffer) => {
    failure = text.toString().trim();
  });
  const ended = Promise.race([once(child, 'close'), once(child, 'error')]).catch((error: Error) => {
    failure = error.message;
  });
  const listens = new Promise<true>((found) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (line.startsWith('vitrine listening on ')) found(true);
    });
  });
  const hasStarted = await Promise.race([listens, ended.then(() => false)]);
  const vitrine = hasStarted ? await findLocal({ data }) : undefined;
  if (vitrine === undefined) {
    child.kill();
    throw new VitrineError('unavailable', 0, `No server could be started with "${program}": ${failure}`);
  }
  return localOf(vitrine, true, async () => {
    child.kill('SIGTERM');
    await ended;
  });
}

function localOf(vitrine: Vitrine, isStarted: boolean, close: () => Promise<void>): LocalVitrine {
  return { vitrine, isStarted, close, [Symbol.asyncDispose]: close };
}

/** The files of a folder and its subfolders, for {@link Vitrine.upload}. Each is opened when it is sent. */
export async function* filesIn(folder: string): AsyncGenerator<FilePart> {
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    yield { file: await openAsBlob(path), file_name: relative(folder, path).split(sep).join('/') };
  }
}

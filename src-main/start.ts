import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { connect } from 'node:net';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isStale } from './is-stale.ts';

/*
 * Entry of `npm start` and `npm run serve`: builds if needed, then opens the desktop app, or serves it headless without Electron or a
 * display. Plain Node runs this file directly, so it imports none of our modules but one that needs no package.
 */

const ROOT = resolve(import.meta.dirname, '..');
const ELECTRON_FOLDER = join(ROOT, 'node_modules/electron');
const HEADLESS_ENTRY = 'out/main/headless.js';
const PROBE_LIMIT_MS = 3000;
const DOWNLOAD_LIMIT_MS = 10 * 60_000;
const PARENT_INTERVAL_MS = 250;
/** Exit code of a shell for a program whose libraries are missing. */
const CANNOT_RUN = 127;

interface Ended {
  /** null when it could not be started or was ended by a signal. */
  code: number | null;
  signal: NodeJS.Signals | null;
  /** Its output, if requested. */
  output: string;
}

if (Number.parseInt(process.versions.node, 10) < 24) {
  fail(
    `Vitrine needs Node 24; this is ${process.versions.node}. "npm install" brings it along: use "npm start" or "npm run serve".`,
  );
} else {
  await start(process.argv.slice(2));
}

async function start(args: string[]): Promise<void> {
  if (['start', 'serve'].includes(process.env.npm_lifecycle_event ?? '')) {
    keepLittleFreedMemory();
    endWithParent();
  }
  const isHeadless = args.includes('--headless');
  const rest = args.filter((argument) => argument !== '--headless');
  if (isStale(ROOT) && !(await build())) return;
  if (isHeadless) return serve(rest);
  const obstacle = desktopObstacle() ?? (await obtainElectron()) ?? (await runDesktop(rest));
  if (obstacle === undefined) return;
  console.log(`${obstacle}; serving the same app in the browser instead.`);
  return serve(rest);
}

/**
 * glibc gives each thread an arena, up to eight per core, and keeps most of what is freed there: after some hundred datasets that is more
 * than what is in use. It reads the limit at the start of a process, so this process starts again in its own place.
 */
function keepLittleFreedMemory(): void {
  if (process.platform !== 'linux' || process.env.MALLOC_ARENA_MAX !== undefined) return;
  const { execPath, execArgv, argv, env } = process;
  process.execve?.(execPath, [execPath, ...execArgv, ...argv.slice(1)], { ...env, MALLOC_ARENA_MAX: '2' });
}

/**
 * npm forwards a signal to the shell that runs the script. The shell ends without forwarding it to this process, which would continue
 * and keep the data folder locked.
 */
function endWithParent(): void {
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    process.kill(process.pid, 'SIGTERM');
  }, PARENT_INTERVAL_MS);
  watch.unref();
}

function fail(sentence: string): void {
  console.error(sentence);
  process.exitCode = 1;
}

async function build(): Promise<boolean> {
  console.log('Building Vitrine…');
  const bin = join(ROOT, 'node_modules/electron-vite/bin/electron-vite.js');
  const { code, output } = await runQuietly([bin, 'build']);
  if (code !== 0) fail(`${output}\nVitrine could not be built; the messages above say why.`);
  return code === 0;
}

/** Runs a script with this Node and returns its output. */
function runQuietly(args: string[], limitMs?: number): Promise<Ended> {
  const child = spawn(process.execPath, args, {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(limitMs === undefined ? {} : { timeout: limitMs, killSignal: 'SIGKILL' as const }),
  });
  return ended(child);
}

function ended(child: ReturnType<typeof spawn>): Promise<Ended> {
  return new Promise((resolve) => {
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => {
        output += text;
      });
    }
    child.on('error', (error) => resolve({ code: null, signal: null, output: `${output}${error.message}` }));
    child.on('close', (code, signal) => resolve({ code, signal, output }));
  });
}

/** Reason why no window can be opened on this computer, as the first half of a sentence. */
function desktopObstacle(): string | undefined {
  if (process.platform !== 'linux') return undefined;
  if (!process.env.DISPLAY && !process.env.WAYLAND_DISPLAY) return 'There is no display here to open a window on';
  if (process.getuid?.() === 0) return 'Electron opens no window for the root user';
  return undefined;
}

/** Path of the Electron program, if it is installed. Importing the package would start a download. */
function electronProgram(): string | undefined {
  const pathFile = join(ELECTRON_FOLDER, 'path.txt');
  const name = existsSync(pathFile) ? readFileSync(pathFile, 'utf8').trim() : undefined;
  const otherPlace = process.env.ELECTRON_OVERRIDE_DIST_PATH;
  const program = otherPlace
    ? join(otherPlace, name ?? 'electron')
    : name === undefined
      ? undefined
      : join(ELECTRON_FOLDER, 'dist', name);
  return program !== undefined && existsSync(program) ? program : undefined;
}

/** Runs Electron's own installer if its program is missing; returns the obstacle if that fails. */
async function obtainElectron(): Promise<string | undefined> {
  if (electronProgram() !== undefined) return undefined;
  const installer = join(ELECTRON_FOLDER, 'install.js');
  if (existsSync(installer) && (await canReachDownload())) {
    console.log('Fetching Electron once (about 110 MB)…');
    await runQuietly([installer], DOWNLOAD_LIMIT_MS);
  }
  return electronProgram() === undefined
    ? 'Electron is not installed here (its program is downloaded at first use: npx install-electron)'
    : undefined;
}

/** Checks first whether the download server answers, because the installer waits long. A mirror or proxy may be reachable when GitHub is not. */
function canReachDownload(): Promise<boolean> {
  const { ELECTRON_MIRROR, HTTPS_PROXY, https_proxy, npm_config_electron_mirror } = process.env;
  if (ELECTRON_MIRROR || npm_config_electron_mirror || HTTPS_PROXY || https_proxy) return Promise.resolve(true);
  return new Promise((resolve) => {
    const socket = connect({ host: 'github.com', port: 443 });
    const answer = (isReachable: boolean): void => {
      socket.destroy();
      resolve(isReachable);
    };
    socket.setTimeout(PROBE_LIMIT_MS, () => answer(false));
    socket.once('connect', () => answer(true));
    socket.once('error', () => answer(false));
  });
}

/** Runs the desktop app and takes over its exit code; returns the obstacle if Electron does not run on this machine. */
async function runDesktop(args: string[]): Promise<string | undefined> {
  const program = electronProgram();
  if (program === undefined) return 'Electron is not installed here';
  const child = spawn(program, [ROOT, ...args], { stdio: 'inherit' });
  let isStopping = false;
  const forward = (signal: NodeJS.Signals): void => {
    isStopping = true;
    // A terminal also sends SIGINT to the child; a second one would interrupt its shutdown.
    if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal);
  };
  process.on('SIGINT', forward).on('SIGTERM', forward).on('SIGHUP', forward);
  const { code, signal } = await ended(child);
  process.off('SIGINT', forward).off('SIGTERM', forward).off('SIGHUP', forward);
  const couldRun = isStopping || (code !== null && code !== CANNOT_RUN);
  if (!couldRun) return `Electron does not run here (${signal ?? 'it cannot be started'})`;
  process.exitCode = code ?? 0;
  return undefined;
}

/** Runs the headless entry in this process, so signals need no forwarding. It reads its options from the command line. */
async function serve(args: string[]): Promise<void> {
  const entry = join(ROOT, HEADLESS_ENTRY);
  process.argv.splice(1, process.argv.length, entry, ...args);
  // Node keeps the compiled program here, also for the threads and processes that it starts. This saves a fifth of a start.
  process.env.NODE_COMPILE_CACHE ??= join(ROOT, 'node_modules', '.cache', 'vitrine');
  enableCompileCache(process.env.NODE_COMPILE_CACHE);
  await import(pathToFileURL(entry).href);
}

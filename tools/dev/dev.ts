import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import react from '@vitejs/plugin-react';
import { createServer } from 'vite';
import { startRestartingCore } from './restarting-core.ts';
import { ensureSampleDataset } from './sample-dataset.ts';

/*
 * Implements `npm run dev`: runs core and pages from the sources, with a separate data folder that contains a sample dataset. A change
 * below src-main restarts the core; a change below src-renderer updates the open page. Options: --port N (default 5180, 0
 * selects a free one), --data DIR (default .dev in the repository).
 */

const DEFAULT_PORT = '5180';
const root = resolve(import.meta.dirname, '..', '..');
const { values } = parseArgs({
  options: { port: { type: 'string', default: DEFAULT_PORT }, data: { type: 'string', default: join(root, '.dev') } },
});

const folder = resolve(values.data);
mkdirSync(folder, { recursive: true });
const core = await startRestartingCore(root, join(folder, 'data'));
const pages = await createServer({
  configFile: false,
  root: join(root, 'src-renderer'),
  cacheDir: join(folder, 'vite'),
  plugins: [react()],
  // Host and Origin remain those of the page, because the core compares them.
  server: { host: '127.0.0.1', port: Number(values.port), proxy: { '/api': { target: core.baseUrl } } },
  clearScreen: false,
  logLevel: 'warn',
});
await pages.listen();
await ensureSampleDataset(core.baseUrl);
console.log(`vitrine dev: ${pages.resolvedUrls?.local[0]} (data in ${folder})`);

// Vite's own handler would exit before the core has closed.
process.removeAllListeners('SIGTERM');
let isStopping = false;
const stop = async () => {
  if (isStopping) return;
  isStopping = true;
  await pages.close();
  await core.stop();
  process.exit(0);
};
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => void stop());

import { basename, resolve } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'electron-vite';
import { WORKER_SOURCES } from './src-main/compose/worker-entries.ts';
import { compressAssets } from './tools/compress-assets.ts';

const at = (path: string) => resolve(import.meta.dirname, path);

/**
 * Packages that a process or thread loads at its start. Bundling leaves out their unused modules, and one file takes less time to load than
 * the hundreds of theirs.
 */
const BUNDLED_PACKAGES = [
  '@fastify/cookie',
  '@fastify/cors',
  '@fastify/formbody',
  '@fastify/multipart',
  '@fastify/static',
  'confusables',
  'csv-parse',
  'fastify',
  'ipaddr.js',
  'jose',
  'lru-cache',
  'mime-types',
  'oauth4webapi',
  'openid-client',
  'otpauth',
  'p-map',
  'p-retry',
  'pino',
  'range-parser',
  'yauzl',
  'yazl',
  'zod',
];

/**
 * Three builds: the main process with every program it starts as a named input, the preload, and the renderer. Other packages stay outside
 * the main bundles; they are installed beside them.
 */
export default defineConfig({
  main: {
    build: {
      outDir: 'out/main',
      sourcemap: true,
      minify: false,
      externalizeDeps: { exclude: BUNDLED_PACKAGES },
      rollupOptions: {
        input: {
          desktop: at('src-main/desktop.ts'),
          'core-process': at('src-main/core-process.ts'),
          headless: at('src-main/headless.ts'),
          vitrine: at('clients/cli/main.ts'),
          ...Object.fromEntries(
            Object.values(WORKER_SOURCES).map((source) => [basename(source, '.ts'), at(`src-main/${source}`)]),
          ),
        },
        output: { format: 'es', entryFileNames: '[name].js', chunkFileNames: 'chunks/[name]-[hash].js' },
      },
    },
  },
  preload: {
    build: {
      outDir: 'out/preload',
      sourcemap: true,
      rollupOptions: {
        input: { preload: at('src-preload/preload.ts') },
        output: { format: 'cjs', entryFileNames: '[name].cjs' },
      },
    },
  },
  renderer: {
    root: at('src-renderer'),
    base: './',
    plugins: [react(), compressAssets()],
    build: {
      outDir: at('out/renderer'),
      emptyOutDir: true,
      sourcemap: false,
      // electron-vite leaves it as written, which is twice as much for browsers that are elsewhere to fetch.
      minify: true,
      // Inlined fonts would be data: addresses, which the page's policy forbids.
      assetsInlineLimit: 0,
      rollupOptions: {
        input: { index: at('src-renderer/index.html') },
        output: {
          // Rolldown names a shared chunk by the pages that share it.
          chunkFileNames: ({ name }) => `assets/${name.startsWith('shared~') ? 'shared' : '[name]'}-[hash].js`,
          codeSplitting: {
            groups: [
              // One request for all that the first screen needs, instead of one for each set of pages that share a module.
              { name: 'initial', tags: ['$initial'] },
              { name: 'shared', minShareCount: 2, entriesAware: true, entriesAwareMergeThreshold: 20_000 },
            ],
          },
        },
      },
    },
  },
});

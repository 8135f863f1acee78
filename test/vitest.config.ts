import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './support/longest-first.ts';
import { SummaryReporter } from './support/summary-reporter.ts';

const root = resolve(import.meta.dirname, '..');

/**
 * One project a folder. Suites that start servers and browsers run a few at a time: they compete for the same cores. The test files of a
 * project share processes: loading the contract and the libraries again takes about 1 s of CPU time for each file.
 */
const project = (name: string, testTimeout: number) => ({
  test: {
    name,
    root,
    include: [`test/${name}/**/*.test.ts`],
    testTimeout,
    hookTimeout: testTimeout,
    pool: 'forks' as const,
    isolate: false,
    // V8 lets the heap grow before it collects the old generation for the first time. By default each thread does that while it starts.
    execArgv: ['--initial-old-space-size=400'],
    // Node runs TypeScript as it is, which takes a third less CPU time than transforming it with Vite.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    setupFiles: [resolve(import.meta.dirname, 'support/file-setup.ts')],
    globalSetup: name === 'unit' ? [] : [resolve(import.meta.dirname, 'support/build.ts')],
    // What is waited for may take long on a busy machine.
    expect: { poll: { timeout: 60_000 } },
    // Tests that load ONNX Runtime themselves keep it as quiet as the product does.
    // Servers do with one compute process, since other tests run beside them.
    env: {
      ORT_DISABLE_TELEMETRY: '1',
      VITRINE_COMPUTE_PROCESSES: '1',
      ...(name !== 'unit' && { VITRINE_TEST_WORKERS: 'built' }),
    },
  },
});

/** Parts of the renderer in a simulated browser, against a fake server. */
const component = {
  test: {
    name: 'component',
    root,
    include: ['test/component/**/*.test.{ts,tsx}'],
    environment: 'happy-dom',
    setupFiles: [resolve(import.meta.dirname, 'support/component-setup.ts')],
    pool: 'threads' as const,
    testTimeout: 30_000,
    // Loading the renderer takes longer than most tests: files share it, and the set-up clears what they leave.
    isolate: false,
    css: { modules: { classNameStrategy: 'non-scoped' as const } },
  },
};

export default defineConfig({
  test: {
    projects: [
      project('unit', 30_000),
      component,
      project('integration', 120_000),
      project('contract', 120_000),
      project('e2e', 240_000),
    ],
    globalSetup: [resolve(import.meta.dirname, 'support/temporary-files.ts')],
    sequence: { sequencer: LongestFirst },
    reporters: ['default', new SummaryReporter()],
    // Tests wait for a third of their time or more: for watchers, for processes that were killed, for quiet periods. More of them fill the cores.
    maxWorkers: Math.ceil(1.5 * availableParallelism()),
  },
});

import { afterAll, TestRunner, vi } from 'vitest';
import { runCleanUps } from './at-end.ts';
import { cpuSeconds } from './cpu-time.ts';

const { file } = TestRunner.getCurrentSuite();
const before = cpuSeconds();

// Vitest runs this file before each test file, and never runs an `afterAll` that a hook or a test calls.
afterAll(async () => {
  await runCleanUps();
  vi.unstubAllEnvs();
  if (file) file.meta.cpu_s = cpuSeconds() - before;
});

import { TestRunner } from 'vitest';

declare module 'vitest' {
  interface TaskMeta {
    /** Faults that a test injected: kills, full disks, damage. */
    faults?: number;
    /** Files and answers that it compared byte for byte with what they had to be, and their bytes. */
    compared?: number;
    compared_bytes?: number;
  }
}

/** Counts a fault that the running test injects; the run ends with the sum. */
export function noteFault(): void {
  const meta = metaOfTest();
  if (meta) meta.faults = (meta.faults ?? 0) + 1;
}

/** Counts something that the running test compares byte for byte. */
export function noteCompared(bytes: number): void {
  const meta = metaOfTest();
  if (!meta) return;
  meta.compared = (meta.compared ?? 0) + 1;
  meta.compared_bytes = (meta.compared_bytes ?? 0) + bytes;
}

/** Undefined in hooks of a suite. */
function metaOfTest() {
  return TestRunner.getCurrentTest()?.meta;
}

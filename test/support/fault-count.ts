import { expect, TestRunner } from 'vitest';

declare module 'vitest' {
  interface TaskMeta {
    /** Number of faults that the test injected: kills, full disks, damage. */
    faults?: number;
    /** Number of files and responses that the test compared byte for byte with the expected ones, and their total size in bytes. */
    compared?: number;
    compared_bytes?: number;
  }
}

/** Counts a fault that the running test injects. The summary of the run prints the sum. */
export function noteFault(): void {
  const meta = metaOfTest();
  if (meta) meta.faults = (meta.faults ?? 0) + 1;
}

/** Asserts that a file or a response has the expected bytes, and counts the comparison. */
export function expectSameBytes(found: Buffer, expected: Buffer | undefined, what?: string): void {
  expect(expected !== undefined && found.equals(expected), what).toBe(true);
  const meta = metaOfTest();
  if (!meta) return;
  meta.compared = (meta.compared ?? 0) + 1;
  meta.compared_bytes = (meta.compared_bytes ?? 0) + found.length;
}

/** Compares files or responses by name, each with {@link expectSameBytes}. */
export function expectSameFiles(found: ReadonlyMap<string, Buffer>, expected: ReadonlyMap<string, Buffer>): void {
  expect([...found.keys()].toSorted()).toEqual([...expected.keys()].toSorted());
  for (const [name, bytes] of found) expectSameBytes(bytes, expected.get(name), name);
}

/** Returns undefined in hooks of a suite. */
function metaOfTest() {
  return TestRunner.getCurrentTest()?.meta;
}

import { expect, TestRunner } from 'vitest';

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

/** Compares a file or an answer with what it has to be, and counts that. */
export function expectSameBytes(found: Buffer, expected: Buffer | undefined, what?: string): void {
  expect(expected !== undefined && found.equals(expected), what).toBe(true);
  const meta = metaOfTest();
  if (!meta) return;
  meta.compared = (meta.compared ?? 0) + 1;
  meta.compared_bytes = (meta.compared_bytes ?? 0) + found.length;
}

/** Compares files or answers by name, as {@link expectSameBytes} does each. */
export function expectSameFiles(found: ReadonlyMap<string, Buffer>, expected: ReadonlyMap<string, Buffer>): void {
  expect([...found.keys()].toSorted()).toEqual([...expected.keys()].toSorted());
  for (const [name, bytes] of found) expectSameBytes(bytes, expected.get(name), name);
}

/** Undefined in hooks of a suite. */
function metaOfTest() {
  return TestRunner.getCurrentTest()?.meta;
}

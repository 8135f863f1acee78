import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

let folder: string;

/** Lets all servers of a run share what V8 has compiled: there are hundreds of starts, and compiling is much of each. */
export function setup(): void {
  folder = mkdtempSync(join(tmpdir(), 'vitrine-test-code-'));
  process.env.NODE_COMPILE_CACHE = folder;
}

export function teardown(): void {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}

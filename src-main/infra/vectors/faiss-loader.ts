import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** What is used of faiss-node; its calls are synchronous, so only workers and compute processes make them. */
export interface FaissNode {
  Index: {
    /** @param metric 0 is the inner product. */
    fromFactory(dim: number, description: string, metric: number): FaissNodeIndex;
  };
}

export interface FaissNodeIndex {
  ntotal(): number;
  add(vectors: number[]): void;
  search(queries: number[], k: number): { distances: number[]; labels: number[] };
}

/** Where `npm run build:faiss` puts its result, below the project's folder. */
export const BUILT_MODULE = join('build', 'faiss', 'faiss-node.node');

/** faiss, from the installed package or else from our own build of it; otherwise why there is none. */
export function loadFaiss(): { faiss: FaissNode } | { missing: string } {
  const require = createRequire(import.meta.url);
  const failures: string[] = [];
  for (const module of ['faiss-node', builtModule()]) {
    if (module === undefined) continue;
    try {
      return { faiss: require(module) as FaissNode };
    } catch (error) {
      failures.push(error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error));
    }
  }
  return { missing: `faiss is not here: ${failures.join('; ')}; npm run build:faiss builds it where libfaiss-dev is` };
}

/** Looks upwards from this file, which may lie in the sources or in a bundle. */
function builtModule(): string | undefined {
  for (let folder = import.meta.dirname; dirname(folder) !== folder; folder = dirname(folder)) {
    const file = join(folder, BUILT_MODULE);
    if (existsSync(file)) return file;
  }
  return undefined;
}

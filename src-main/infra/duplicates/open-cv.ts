import { createRequire } from 'node:module';
import type Cv from '@techstark/opencv-js';

export type OpenCv = typeof Cv;

let opened: Promise<{ cv: OpenCv }> | undefined;

/**
 * OpenCV as WebAssembly, once a process. It is handed over inside an object: the module has a `then` that never settles, so a promise must
 * not resolve to it (https://github.com/opencv/opencv/issues/23433).
 */
export function openCv(): Promise<{ cv: OpenCv }> {
  opened ??= new Promise((resolve) => {
    const cv = createRequire(import.meta.url)('@techstark/opencv-js') as OpenCv;
    if (typeof cv.Mat === 'function') resolve({ cv });
    else cv.onRuntimeInitialized = () => resolve({ cv });
  });
  return opened;
}

/** Frees what OpenCV made for one piece of work when that ends. */
export class Scope {
  readonly #made: { delete(): void }[] = [];

  own<T extends { delete(): void }>(made: T): T {
    this.#made.push(made);
    return made;
  }

  close(): void {
    for (const made of this.#made.splice(0).reverse()) made.delete();
  }
}

/** Runs some work and frees what it owns. */
export function scoped<T>(work: (scope: Scope) => T): T {
  const scope = new Scope();
  try {
    return work(scope);
  } finally {
    scope.close();
  }
}

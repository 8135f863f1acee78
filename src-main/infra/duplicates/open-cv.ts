import { createRequire } from 'node:module';
import type Cv from '@techstark/opencv-js';

export type OpenCv = typeof Cv;

let opened: Promise<{ cv: OpenCv }> | undefined;

/**
 * Loads OpenCV as WebAssembly, once per process. The module is returned inside an object: it has a `then` that never settles, so a promise
 * must not resolve to it (https://github.com/opencv/opencv/issues/23433).
 */
export function openCv(): Promise<{ cv: OpenCv }> {
  opened ??= new Promise((resolve) => {
    const cv = createRequire(import.meta.url)('@techstark/opencv-js') as OpenCv;
    if (typeof cv.Mat === 'function') resolve({ cv });
    else cv.onRuntimeInitialized = () => resolve({ cv });
  });
  return opened;
}

/** Frees the OpenCV objects of a task when the task ends. */
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

/** Runs a task and frees the OpenCV objects that it created. */
export function scoped<T>(work: (scope: Scope) => T): T {
  const scope = new Scope();
  try {
    return work(scope);
  } finally {
    scope.close();
  }
}

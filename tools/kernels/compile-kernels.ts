import { join } from 'node:path';
import asc from 'assemblyscript/asc';

/** Maximum number of 64-KiB pages of a WebAssembly memory: 4 GiB. */
const MAX_PAGES = 65_536;

/** Compiler options for the memory of each source. Threads share the memory of vectors. */
const MEMORIES = {
  'vector-kernels': [
    ...['--enable', 'threads', '--sharedMemory', '--importMemory', '--noExportMemory'],
    ...['--initialMemory', '1', '--maximumMemory', String(MAX_PAGES)],
  ],
  'image-kernels': ['--importMemory', '--noExportMemory'],
};

/** Name of a source, and of the file that it is compiled to. */
export type KernelsName = keyof typeof MEMORIES;

export const KERNELS = Object.keys(MEMORIES) as KernelsName[];

/** Compiles kernels to a module that imports its memory. @throws Error with the compiler's messages. */
export async function compileKernels(name: KernelsName): Promise<Uint8Array> {
  const source = join(import.meta.dirname, 'assembly', `${name}.ts`);
  let compiled: Uint8Array | undefined;
  const { error, stderr } = await asc.main(
    [
      ...[source, '-O3', '--noAssert', '--runtime', 'stub', '--outFile', 'kernels.wasm'],
      ...['--enable', 'simd', '--memoryBase', '0', ...MEMORIES[name]],
    ],
    {
      writeFile: (_name, contents) => {
        if (typeof contents !== 'string') compiled = contents;
      },
    },
  );
  if (error !== null || compiled === undefined) throw new Error(`The kernels do not compile: ${stderr.toString()}`);
  return compiled;
}

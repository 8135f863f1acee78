import { join } from 'node:path';
import asc from 'assemblyscript/asc';

const SOURCE = join(import.meta.dirname, 'assembly', 'vector-kernels.ts');
/** Maximum number of 64-KiB pages of a WebAssembly memory: 4 GiB. */
const MAX_PAGES = 65_536;

/** Compiles the kernels to a module that imports a shared memory. @throws Error with the compiler's messages. */
export async function compileKernels(): Promise<Uint8Array> {
  let compiled: Uint8Array | undefined;
  const features = ['--enable', 'simd', '--enable', 'threads', '--sharedMemory', '--importMemory', '--noExportMemory'];
  const limits = ['--initialMemory', '1', '--maximumMemory', String(MAX_PAGES), '--memoryBase', '0'];
  const { error, stderr } = await asc.main(
    [SOURCE, '-O3', '--noAssert', '--runtime', 'stub', '--outFile', 'kernels.wasm', ...features, ...limits],
    {
      writeFile: (_name, contents) => {
        if (typeof contents !== 'string') compiled = contents;
      },
    },
  );
  if (error !== null || compiled === undefined) throw new Error(`The kernels do not compile: ${stderr.toString()}`);
  return compiled;
}

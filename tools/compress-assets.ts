import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip, constants as zlib } from 'node:zlib';
import type { Plugin } from 'vite';

const TEXT = /\.(js|css|html|svg)$/;
/** Minimum size of compressed files; smaller ones fit into one network packet anyway. */
const MIN_BYTES = 1024;

/** Writes `.br` and `.gz` copies beside the text files of a build, which the server sends to browsers that accept them. */
export function compressAssets(): Plugin {
  return {
    name: 'compress-assets',
    apply: 'build',
    async writeBundle({ dir = '.' }, bundle) {
      const files = Object.values(bundle).map((file) => ({
        path: join(dir, file.fileName),
        content: Buffer.from(file.type === 'chunk' ? file.code : file.source),
      }));
      await Promise.all(
        files
          .filter(({ path, content }) => TEXT.test(path) && content.length >= MIN_BYTES)
          .map(async ({ path, content }) => {
            const quality = { [zlib.BROTLI_PARAM_QUALITY]: zlib.BROTLI_MAX_QUALITY };
            await writeFile(`${path}.br`, await promisify(brotliCompress)(content, { params: quality }));
            await writeFile(`${path}.gz`, await promisify(gzip)(content, { level: zlib.Z_BEST_COMPRESSION }));
          }),
      );
    },
  };
}

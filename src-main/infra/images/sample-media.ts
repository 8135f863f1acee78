import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import type { UploadedFile } from '../../contract/fields.ts';
import type { SampleMedia } from '../../core/ports/sample-media.ts';

/** @param temporaryFolder Where the files are drawn. */
export function createSampleMedia(temporaryFolder: string): SampleMedia {
  return {
    draw: async (use) => {
      const folder = await mkdtemp(join(temporaryFolder, 'sample-'));
      try {
        const drawn = join(folder, 'drawn');
        // Loaded here, because libvips is not needed at start.
        const { drawSample } = await import('./draw-sample.ts');
        await drawSample(drawn);
        return await use(await filesIn(drawn));
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    },
  };
}

async function filesIn(folder: string): Promise<UploadedFile[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return Promise.all(
    paths.toSorted().map(async (path) => ({
      path,
      file_name: relative(folder, path).split(sep).join('/'),
      size_bytes: (await stat(path)).size,
      owned: true,
    })),
  );
}

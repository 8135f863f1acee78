import { createWriteStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import { Api } from '../support/api.ts';
import { image } from '../support/images.ts';
import { startMeasuredServer } from './measured-server.ts';
import { type MemoryPeak, peakDuring, toMib, totalOf } from './process-memory.ts';
import { round, seconds } from './timing.ts';

/**
 * Number of images in the smaller archive: enough for every process to reach its peak of garbage. Any more memory is growth with the
 * archive.
 */
const FEW = 5_000;
const MANY = 20_000;

interface Run {
  images: number;
  archive_mib: number;
  items_per_s: number;
  /** Memory of all processes before the upload, in MiB. */
  idle_mib: number;
  /** Peak from the upload until READY. */
  peak: MemoryPeak;
}

/** Measures the memory of all processes while an archive of 20,000 images is imported, against one of 5,000. */
export async function measureArchive(folder: string): Promise<unknown> {
  const few = await measureRun(folder, FEW);
  const many = await measureRun(folder, MANY);
  return { few, many, growth_mib: many.peak.total_mib - few.peak.total_mib };
}

async function measureRun(folder: string, images: number): Promise<Run> {
  const archive = join(folder, `${images}.zip`);
  const zip = new ZipFile();
  const written = pipeline(zip.outputStream, createWriteStream(archive));
  for (let seed = 0; seed < images; seed += 1) {
    zip.addBuffer(await image(seed), `folder ${seed % 10}/${seed}.jpg`, { compress: false });
  }
  zip.end();
  await written;
  const bytes = await readFile(archive);
  const upload = new FormData();
  upload.append('file', new Blob([bytes]), 'images.zip');

  const server = await startMeasuredServer(join(folder, `data-${images}`));
  try {
    const api = new Api(server.baseUrl);
    const { body } = await api.post<{ id: string }>('/dataset', { dataset_name: 'archive', bucket_path: '' });
    const idle = await server.memory();
    let takenS = 0;
    const peak = await peakDuring(server.memory, async () => {
      takenS = await seconds(async () => {
        await api.call('POST', `/dataset/${body.id}/upload`, { body: upload });
        const { n_images } = await api.waitFor(body.id, 'READY', 3_600_000);
        if (n_images !== images) throw new Error(`${n_images} of ${images} images came in`);
      });
    });
    return {
      images,
      archive_mib: toMib(bytes.length),
      items_per_s: round(images / takenS),
      idle_mib: toMib(totalOf(idle)),
      peak,
    };
  } finally {
    await server.stop();
  }
}

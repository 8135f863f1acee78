import { createWriteStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import { Api } from '../support/api.ts';
import { picture } from '../support/pictures.ts';
import { startMeasuredServer } from './measured-server.ts';
import { round, seconds } from './timing.ts';

const FEW = 1_000;
const MANY = 10_000;
const SAMPLE_MS = 200;

interface Run {
  images: number;
  archive_mib: number;
  items_per_s: number;
  /** Resident memory of all processes together, from before the upload to READY. */
  idle_mib: number;
  peak_mib: number;
}

/** Memory of all processes while an archive of 10,000 images comes in, against one of 1,000. */
export async function measureArchive(folder: string): Promise<unknown> {
  const few = await measureRun(folder, FEW);
  const many = await measureRun(folder, MANY);
  return { few, many, growth_mib: many.peak_mib - few.peak_mib };
}

async function measureRun(folder: string, images: number): Promise<Run> {
  const archive = join(folder, `${images}.zip`);
  const zip = new ZipFile();
  const written = pipeline(zip.outputStream, createWriteStream(archive));
  for (let seed = 0; seed < images; seed += 1) {
    zip.addBuffer(await picture(seed), `folder ${seed % 10}/${seed}.jpg`, { compress: false });
  }
  zip.end();
  await written;
  const bytes = await readFile(archive);
  const upload = new FormData();
  upload.append('file', new Blob([bytes]), 'pictures.zip');

  const server = await startMeasuredServer(join(folder, `data-${images}`));
  try {
    const api = new Api(server.base_url);
    const { body } = await api.post<{ id: string }>('/dataset', { dataset_name: 'archive', bucket_path: '' });
    const idle = await server.memory();
    let peak = idle;
    const watch = setInterval(
      () =>
        void server.memory().then((now) => {
          peak = Math.max(peak, now);
        }),
      SAMPLE_MS,
    );
    const taken_s = await seconds(async () => {
      await api.call('POST', `/dataset/${body.id}/upload`, { body: upload });
      const { n_images } = await api.waitFor(body.id, 'READY', 3_600_000);
      if (n_images !== images) throw new Error(`${n_images} of ${images} images came in`);
    });
    clearInterval(watch);
    const mib = (amount: number) => Math.round(amount / 2 ** 20);
    return {
      images,
      archive_mib: mib(bytes.length),
      items_per_s: round(images / taken_s),
      idle_mib: mib(idle),
      peak_mib: mib(peak),
    };
  } finally {
    await server.stop();
  }
}

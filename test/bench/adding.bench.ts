import { createWriteStream } from 'node:fs';
import { mkdir, open, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import { Api } from '../support/api.ts';
import { writePictures } from '../support/pictures.ts';
import { startMeasuredServer } from './measured-server.ts';

/** Pictures of the dataset that is added to; `VITRINE_BENCH_ITEMS` overrides. */
const ITEMS = Number(process.env.VITRINE_BENCH_ITEMS ?? 20_000);
const UPLOADED = 500;

/** Adding 1 % and the reindex after it against a full index; uploads against the bare disk; memory while an archive comes in. */
export async function measureAdding(folder: string): Promise<unknown> {
  const added = Math.round(ITEMS / 100);
  await writePictures(join(folder, 'base'), sequence(0, ITEMS));
  await writePictures(join(folder, 'more'), sequence(ITEMS, ITEMS + added));
  const server = await startMeasuredServer(join(folder, 'data'));
  try {
    const api = new Api(server.base_url);
    const id = await api.createFromFolder('base', join(folder, 'base'));
    const full_s = await seconds(() => api.waitFor(id, 'READY', 3_600_000));
    const addition_s = await seconds(async () => {
      await api.post(`/dataset/${id}/add_media`, { s3_uri: join(folder, 'more') });
      await api.waitFor(id, 'PARTIAL INDEX', 600_000);
    });
    const reindex_s = await seconds(async () => {
      await api.post(`/dataset/${id}/reindex`);
      await api.waitFor(id, 'READY', 600_000);
    });
    return {
      items: ITEMS,
      full_index_s: round(full_s),
      add_one_percent: { seconds: round(addition_s), of_full: round(addition_s / full_s) },
      reindex: { seconds: round(reindex_s), of_full: round(reindex_s / full_s) },
      uploads: await measureUploads(api, folder),
      archive: await measureArchive(api, folder, () => server.memory()),
    };
  } finally {
    await server.stop();
  }
}

async function measureUploads(api: Api, folder: string): Promise<unknown> {
  const files = await writePictures(join(folder, 'uploads'), sequence(900_000, 900_000 + UPLOADED));
  const contents = await Promise.all(files.map((file) => readFile(file)));
  const bytes = contents.reduce((sum, content) => sum + content.length, 0);
  await mkdir(join(folder, 'bare'));
  const bare_s = await seconds(async () => {
    for (const [index, content] of contents.entries()) {
      const file = await open(join(folder, 'bare', String(index)), 'w');
      await file.writeFile(content);
      await file.close();
    }
  });
  const { body: draft } = await api.get<{ dataset_id: string }>('/ingestion/new_dataset?dataset_name=uploads');
  const { body: transaction } = await api.get<{ trans_id: number }>(`/ingestion/${draft.dataset_id}/data_files`);
  const upload_s = await seconds(async () => {
    for (let first = 0; first < files.length; first += 50) {
      await api.upload(draft.dataset_id, transaction.trans_id, files.slice(first, first + 50));
    }
  });
  const rate = (taken_s: number) => round(bytes / taken_s / 2 ** 20);
  return {
    files: files.length,
    mib_per_s: rate(upload_s),
    bare_write_mib_per_s: rate(bare_s),
    ratio: round(bare_s / upload_s),
  };
}

async function measureArchive(api: Api, folder: string, memory: () => Promise<number>): Promise<unknown> {
  const archive = join(folder, 'pictures.zip');
  const zip = new ZipFile();
  const files = await writePictures(join(folder, 'zipped'), sequence(800_000, 800_000 + Math.min(ITEMS, 10_000)));
  for (const file of files) zip.addFile(file, `folder/${basename(file)}`, { compress: false });
  zip.end();
  await pipeline(zip.outputStream, createWriteStream(archive));
  const { body } = await api.post<{ id: string }>('/dataset', { dataset_name: 'archive', bucket_path: '' });
  const upload = new FormData();
  upload.append('file', new Blob([await readFile(archive)]), 'pictures.zip');
  const before = await memory();
  let peak = before;
  const watch = setInterval(
    () =>
      void memory().then((now) => {
        peak = Math.max(peak, now);
      }),
    500,
  );
  const taken_s = await seconds(async () => {
    await api.call('POST', `/dataset/${body.id}/upload`, { body: upload });
    await api.waitFor(body.id, 'READY', 3_600_000);
  });
  clearInterval(watch);
  return {
    images: files.length,
    items_per_s: round(files.length / taken_s),
    memory_growth_mib: Math.round((peak - before) / 2 ** 20),
  };
}

async function seconds(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return (performance.now() - started) / 1000;
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}

function sequence(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, index) => from + index);
}

import { randomUUID } from 'node:crypto';
import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { formatMessage } from '../../src-main/contract/messages.ts';
import { inspectFolder } from '../../src-main/infra/dataset-store/disk/inspect-generation.ts';
import { Api } from '../support/api.ts';
import { writeImages } from '../support/images.ts';
import { startServer } from '../support/server.ts';
import { median, round, seconds } from './timing.ts';

/** Number of datasets in the data folder; `VITRINE_BENCH_DATASETS` overrides it. */
const DATASETS = Number(process.env.VITRINE_BENCH_DATASETS ?? 100);
const STARTS = 5;
const GENERATION = '1';

/**
 * Measures the time from the start of a server with many datasets to its first response, and the part of it that verifies the dataset
 * folders.
 */
export async function measureStarts(folder: string): Promise<unknown> {
  const data = join(folder, 'data');
  const images = join(folder, 'images');
  await writeImages(images, [1, 2, 3, 4]);
  const ids = await makeDatasets(data, images);
  const startsS: number[] = [];
  const inspectionsS: number[] = [];
  for (let start = 0; start < STARTS; start += 1) {
    inspectionsS.push(
      await seconds(async () => {
        for (const id of ids) {
          const wrong = inspectFolder(join(data, 'datasets', id, GENERATION));
          if (wrong !== undefined) throw new Error(formatMessage(wrong));
        }
      }),
    );
    const startedMs = performance.now();
    const server = await startServer(data);
    startsS.push((performance.now() - startedMs) / 1000);
    const { body } = await new Api(server.baseUrl).get<{ status_new: string }[]>('/datasets');
    if (body.filter(({ status_new }) => status_new === 'READY').length !== DATASETS)
      throw new Error('some are not there');
    await server.stop();
  }
  const [startS, inspectionS] = [median(startsS), median(inspectionsS)];
  return {
    datasets: DATASETS,
    start_s: round(startS),
    verification_ms: round(inspectionS * 1000),
    // Extra time relative to a start without verification.
    more: round(inspectionS / (startS - inspectionS)),
  };
}

/** Creates one dataset and copies of its folder, which the next start imports. */
async function makeDatasets(data: string, images: string): Promise<string[]> {
  const first = await startServer(data);
  const api = new Api(first.baseUrl);
  const id = await api.createFromFolder('first', images);
  await api.waitFor(id, 'READY');
  await first.stop();
  const copies = Array.from({ length: DATASETS - 1 }, () => randomUUID());
  for (const copy of copies) {
    const target = join(data, 'datasets', copy);
    await cp(join(data, 'datasets', id), target, { recursive: true });
    const record = await readFile(join(target, 'dataset.json'), 'utf8');
    await writeFile(join(target, 'dataset.json'), record.replaceAll(id, copy));
  }
  await (await startServer(data)).stop();
  return [id, ...copies];
}

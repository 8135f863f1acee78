import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { Api, until } from '../../support/api.ts';
import { writeImages } from '../../support/images.ts';
import { startServer } from '../../support/server.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const DATASETS = 6;

it('frees the memories for vectors of datasets that are closed', async ({ onTestFinished, skip }) => {
  if (process.platform !== 'linux') return skip('only Linux tells the address space of a process');
  const root = await temporaryFolder();
  await writeImages(join(root, 'images'), [1, 2, 3]);
  const server = await startServer(join(root, 'data'), { VITRINE_OPEN_DATASETS: '1', VITRINE_DATASET_READERS: '1' });
  onTestFinished(() => server.stop().then(() => undefined));
  const api = new Api(server.baseUrl);
  const ids: string[] = [];
  for (let nth = 0; nth < DATASETS; nth += 1) ids.push(await api.createFromFolder(`d${nth}`, join(root, 'images')));
  for (const id of ids) await api.waitFor(id, 'READY');

  for (const id of ids) expect((await api.get(`/explore/${id}?threshold=0`)).status).toBe(200);
  const addressSpace = () => addressSpaceOf(server.process.pid ?? 0);
  const ofAll = addressSpace();
  await until(addressSpace, (size) => size < ofAll / 2);
});

/** Size in GiB of the address space of a process: each memory for vectors reserves eight. */
function addressSpaceOf(pid: number): number {
  const [, kilobytes] = /^VmSize:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Math.round(Number(kilobytes) / 2 ** 20);
}

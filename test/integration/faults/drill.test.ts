import { cp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { beforeAll, expect, it } from 'vitest';
import { Api } from '../../support/api.ts';
import { backedUpUploads } from '../../support/backed-up-uploads.ts';
import { noteFault } from '../../support/fault-count.ts';
import { writeImages } from '../../support/images.ts';
import { serve } from '../../support/serve.ts';
import { runServer, type ServerExit } from '../../support/server.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

let sound: string;
let backups: string;
let datasetId: string;

beforeAll(async () => {
  ({ data: sound, backups, datasetId } = await backedUpUploads());
});

/** Runs a drill, and asserts that it leaves no temporary files. */
async function drill(data: string, from = backups, signalledAt?: RegExp): Promise<ServerExit> {
  const temporary = await temporaryFolder();
  const options = ['backup', '--verify', '--drill', '--to', from, ...(signalledAt ? [] : ['--json'])];
  const exit = await runServer(data, { TMPDIR: temporary }, options, signalledAt, 'SIGINT');
  expect((await readdir(temporary)).filter((name) => name.startsWith('vitrine-drill-'))).toEqual([]);
  return exit;
}

it('restores the latest backup, starts it and finds the same datasets, page of Explore and originals', async () => {
  const { code, stdout, stderr } = await drill(sound);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const found = JSON.parse(stdout);
  expect(found).toMatchObject({ exit_code: 0, n_datasets: 1, n_originals: 4, lost: [], not_compared: [] });
  const missing = join(await temporaryFolder(), 'missing');
  const alone = JSON.parse((await drill(missing)).stdout);
  expect(alone).toMatchObject({ exit_code: 3, n_datasets: 1, n_originals: 4, lost: [] });
  expect(alone.not_compared).toHaveLength(1);
});

it('says what differs, what is newer than the backup, and that the backup is damaged', async () => {
  const data = await temporaryFolder();
  await cp(sound, data, { recursive: true });
  const { api, server } = await serve(data);
  const images = await temporaryFolder();
  await writeImages(images, [9]);
  const id = await new Api(api.baseUrl).createFromFolder('newer', images);
  await api.waitFor(id, 'READY');
  await api.atRest();
  // The drill compares with the running server.
  const newer = JSON.parse((await drill(data)).stdout);
  expect(newer).toMatchObject({
    exit_code: 3,
    n_originals: 4,
    lost: [],
    not_compared: ['newer is newer than the backup'],
  });
  await server.stop();

  const db = new Database(join(data, 'datasets', datasetId, '1', 'data.db'));
  db.exec(`UPDATE media SET content_hash = 'ab' || substr(content_hash, 3) WHERE row = 0`);
  db.close();
  noteFault();
  const changed = JSON.parse((await drill(data)).stdout);
  expect(changed.exit_code).toBe(2);
  expect(changed.lost.join()).toMatch(/The original of image-0000\d\.jpg differs/);

  const damaged = await temporaryFolder();
  await cp(backups, damaged, { recursive: true });
  noteFault();
  await rm(join(damaged, 'blocks'), { recursive: true });
  const { code, stdout } = await drill(sound, damaged);
  expect({ code, lost: JSON.parse(stdout).lost }).toEqual({ code: 2, lost: [expect.stringContaining('damaged')] });
});

it('leaves nothing when it is interrupted', async () => {
  noteFault();
  expect((await drill(sound, backups, /Comparing/)).code).toBe(3);
});

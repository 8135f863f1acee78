import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import type { Backup } from '../../../src-main/contract/schemas/backup.ts';
import type { RecoveryEvent } from '../../../src-main/contract/schemas/recovery.ts';
import { Api, json } from '../../support/api.ts';
import { noteFault } from '../../support/fault-count.ts';
import { seeded } from '../../support/images.ts';
import { checkDatasets, openTasks, settled } from '../../support/kills/check-datasets.ts';
import { checkFolder } from '../../support/kills/check-folder.ts';
import { Ledger } from '../../support/kills/ledger.ts';
import { OPERATIONS, type World } from '../../support/kills/operations.ts';
import { runServer, type Server, startServer } from '../../support/server.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { writeTinyModel } from '../../support/tiny-models/generate.ts';

const KILLS = Number(process.env.VITRINE_TEST_KILLS ?? 6);
const SEED = Number(process.env.VITRINE_TEST_SEED ?? 1);
/** Latest moment of a kill in milliseconds. Most operations and the tasks that they start take less time. */
const LATEST_KILL_MS = 2000;
/** Share of the kills that are followed by another kill while the server restarts. */
const KILLED_AGAIN = 0.2;
const LATEST_KILL_OF_A_START_MS = 700;
/** Share of the kills after which the catalog is also lost. Its copy and the dataset folders restore it. */
const CATALOG_LOST = 0.1;
const CATALOG = ['catalog.db', 'catalog.db-wal', 'catalog.db-shm'];
/** Messages that a start reports in this case. */
const EVENTS_OF_A_LOST_CATALOG = ['catalog_replaced', 'adopted', 'updated', 'not_restored'];
const MS_PER_KILL = 60_000;
/** Milliseconds for creating the datasets before the first kill and for the backup after the last. */
const AROUND_MS = 120_000;

it(`${KILLS} kills at random moments lose nothing and leave nothing behind`, {
  timeout: AROUND_MS + KILLS * MS_PER_KILL,
}, async () => {
  const random = seeded(SEED);
  const data = await temporaryFolder();
  const world: World = {
    api: new Api(''),
    ledger: new Ledger(),
    folder: await temporaryFolder(),
    backups: await temporaryFolder(),
    random,
  };
  let server: Server | undefined;
  onTestFinished(() => {
    server?.process.kill('SIGKILL');
  });
  const start = async () => {
    server = await startServer(data);
    world.api = new Api(server.baseUrl);
    return server;
  };
  const check = async (foreseen: readonly string[] = []) => {
    await settled(world);
    await checkDatasets(world);
    await checkFolder(data);
    const { body } = await world.api.get<{ events: RecoveryEvent[] }>('/recovery');
    const reported = body.events.filter(({ acknowledged, kind }) => !acknowledged && !foreseen.includes(kind));
    expect(reported).toEqual([]);
    await world.api.post('/recovery/acknowledge');
  };

  let running = await start();
  const models = await temporaryFolder();
  writeTinyModel(models, 'clip');
  expect((await world.api.call('POST', '/models/import', json({ path: models }))).body.refused).toEqual([]);
  await OPERATIONS.createFromFolder?.(world);
  await OPERATIONS.createFromUploads?.(world);
  await check();

  let [nInFlight, nCatalogs] = [0, 0];
  for (let kill = 1; kill <= KILLS; kill += 1) {
    const names = Object.keys(OPERATIONS);
    const name = names[Math.floor(random() * names.length)] ?? '';
    // A request that the killed server did not answer proves nothing; answered ones are recorded in the ledger.
    const requested = OPERATIONS[name]?.(world).then(
      () => undefined,
      (error: unknown) => error,
    );
    await pause(random() * LATEST_KILL_MS);
    await running.stop('SIGKILL');
    const failure = await requested;
    if (failure !== undefined && !(failure instanceof TypeError)) throw failure;
    if (random() < KILLED_AGAIN) {
      running = await start();
      await pause(random() * LATEST_KILL_OF_A_START_MS);
      await running.stop('SIGKILL');
    }
    running = await start();
    nInFlight += (await openTasks(world.api)).length > 0 ? 1 : 0;
    await check().catch((error: unknown) => {
      throw new Error(`kill ${kill} of seed ${SEED}, during ${name}`, { cause: error });
    });
    if (random() < CATALOG_LOST) {
      await running.stop('SIGKILL');
      for (const file of CATALOG) await rm(join(data, file), { force: true });
      noteFault();
      nCatalogs += 1;
      running = await start();
      await check(EVENTS_OF_A_LOST_CATALOG).catch((error: unknown) => {
        throw new Error(`the catalog was lost after kill ${kill} of seed ${SEED}`, { cause: error });
      });
    }
    if (kill % 20 === 0) console.log(`${kill} kills, ${nInFlight} with tasks under way`);
  }
  console.log(
    `${KILLS} kills, ${nInFlight} with tasks under way, ${nCatalogs} with the catalog lost; ${world.ledger.datasets.length} datasets at the end`,
  );

  const { status } = await world.api.call('POST', '/backup', json({ folder: world.backups, keep: 3 }));
  expect(status).toBe(202);
  await check();
  const { body } = await world.api.get<{ backups: Backup[] }>('/backups');
  expect(body.backups[0]?.datasets).toHaveLength(world.ledger.datasets.length);
  await running.stop();
  const restored = `${await temporaryFolder()}/restored`;
  expect(await runServer(restored, {}, ['restore', '--from', world.backups])).toMatchObject({ code: 0, stderr: '' });
  server = await startServer(restored);
  world.api = new Api(server.baseUrl);
  await settled(world);
  await checkDatasets(world);
});

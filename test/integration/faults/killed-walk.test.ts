import { readdirSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { REALM_ROLES } from '../../../src-main/contract/permissions.ts';
import type { Dataset } from '../../../src-main/contract/schemas/dataset.ts';
import type { Task } from '../../../src-main/contract/schemas/task.ts';
import { addAccount, beginSession, WITH_ACCOUNTS } from '../../support/accounts.ts';
import { Api } from '../../support/api.ts';
import { seeded } from '../../support/images.ts';
import { checkFolder } from '../../support/kills/check-folder.ts';
import { type Step, WALK } from '../../support/kills/walk.ts';
import { follow, NOTHING, type RestState, type Seen, stateOf } from '../../support/kills/walk-state.ts';
import { ADMIN, type Walker } from '../../support/kills/walk-steps.ts';
import { type Server, startServer } from '../../support/server.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { importTinyModels } from '../../support/tiny-models/import-tiny-models.ts';

/** Number of kills at random moments of the walk. */
const KILLS = Number(process.env.VITRINE_TEST_WALK_KILLS ?? 4);
const SEED = Number(process.env.VITRINE_TEST_SEED ?? 1);
/**
 * Latest moment of a kill, in milliseconds after the start of a step. Most steps are shorter, some are longer; early moments are more
 * likely.
 */
const LATEST_KILL_MS = 2500;

let server: Server;
const walker: Walker = { api: new Api(''), id: '', folder: '' };

/** The cookie of the administrator's session, which lasts over restarts. */
let cookie: string | undefined;

async function start(data: string): Promise<void> {
  server = await startServer(data, { ...WITH_ACCOUNTS, VITRINE_OPENED_FOLDERS: tmpdir() });
  const { process } = server;
  onTestFinished(() => {
    process.kill('SIGKILL');
  });
  if (cookie === undefined) {
    await addAccount(data, { username: ADMIN, role: 'admin', realm_roles: [...REALM_ROLES] });
    cookie = await beginSession(new Api(server.baseUrl), ADMIN);
  }
  walker.api = new Api(server.baseUrl, { cookie });
}

/** Takes a step and optionally kills the server in the middle of it. @returns The states that were observed on the way. */
async function take(step: Step, data: string, killedAfterMs: number | undefined): Promise<Seen> {
  const stop = follow(walker);
  const requested = step.ask(walker).then(
    () => undefined,
    (error: unknown) => error,
  );
  if (killedAfterMs !== undefined) {
    await pause(killedAfterMs);
    await server.stop('SIGKILL');
    await start(data);
  }
  const failure = await requested;
  if (failure !== undefined && !(killedAfterMs !== undefined && failure instanceof TypeError)) throw failure;
  await walker.api.atRest();
  return stop();
}

/** Number of transitions in the steps taken: of statuses, of the current snapshot, of restores, of tasks. */
const taken = { statuses: 0, statuses_seen: 0, currents: 0, restores: 0, tasks: 0 };

/** Asserts that all observed states belong to the step and appear in its order. */
async function expectTaken(step: Step, before: RestState, { statuses, currents, restoring }: Seen): Promise<void> {
  for (const [name, path] of [['walk', step.path] as const, ...Object.entries(step.pathOf ?? {})]) {
    const seen = statuses.get(name) ?? [];
    expect(isOnPath(seen, path), `${step.name}: ${name} was ${seen}`).toBe(true);
    taken.statuses += path.length - 1;
    taken.statuses_seen += Math.max(0, seen.length - 1);
  }
  const path = before.current === step.after.current ? [before.current] : [before.current, step.after.current];
  expect(isOnPath(currents, path), `${step.name}: ${currents} were current`).toBe(true);
  taken.currents += path.length - 1;
  const { restores } = step;
  expect([...restoring].filter((name) => name !== restores)).toEqual([]);
  if (restores !== undefined) taken.restores += 1;
  if (step.task === undefined) return;
  const [type, status] = step.task;
  const { body } = await walker.api.get<{ tasks: Task[] }>(`/tasks?task_type=${type}`);
  const ended = status === 'COMPLETED' ? { status, progress_percentage: 100 } : { status };
  expect(body.tasks[0], step.name).toMatchObject({ ...ended, end_time: expect.any(String) });
  taken.tasks += 1;
}

function isOnPath<Place>(seen: readonly Place[], path: readonly Place[]): boolean {
  let at = 0;
  return seen.every((place) => {
    at = path.indexOf(place, at);
    return at >= 0;
  });
}

it(`a dataset goes through every transition, with ${KILLS} kills at random moments`, {
  timeout: 240_000 + KILLS * 30_000,
}, async () => {
  const random = seeded(SEED);
  const data = await temporaryFolder();
  walker.folder = await temporaryFolder();
  await start(data);
  await importTinyModels(walker.api, ['detector']);
  let [kills, nUndone] = [0, 0];
  let reached = NOTHING;
  for (let at = 0; at < WALK.length; ) {
    const step = WALK[at] as Step;
    // Kills are spread over the walk, which repeats while some are left.
    const isKilled = random() < Math.min(0.6, (KILLS - kills) / (WALK.length - at));
    kills += Number(isKilled);
    const where = `${step.name}, ${isKilled ? `kill ${kills} of seed ${SEED}` : `after ${kills} kills`}`;
    const seen = await take(step, data, isKilled ? random() ** 2 * LATEST_KILL_MS : undefined);
    const now = await stateOf(walker);
    if (isKilled) {
      await checkFolder(data).catch((error: unknown) => {
        throw new Error(where, { cause: error });
      });
      expect((await walker.api.get('/recovery')).body, where).toEqual({ events: [], n_new: 0 });
    }
    if (isDeepStrictEqual(now, step.after)) {
      await expectTaken(step, reached, seen);
      reached = step.after;
      at += 1;
    } else {
      expect(isKilled ? [reached, step.instead, step.after] : [step.after], where).toContainEqual(now);
      nUndone += 1;
    }
    if (at === WALK.length && kills < KILLS) {
      await walker.api.call('DELETE', `/dataset/${walker.id}`);
      await walker.api.atRest();
      expect(await stateOf(walker)).toEqual(NOTHING);
      reached = NOTHING;
      at = 0;
    }
  }
  await checkFolder(data);

  // Tests the transitions from ERROR as well.
  await server.stop();
  const folder = join(data, 'datasets', walker.id);
  const generation = readdirSync(folder).find((name) => /^\d+$/.test(name)) ?? '';
  truncateSync(join(folder, generation, 'data.db'), 100);
  await start(data);
  const { body } = await walker.api.get<Dataset>(`/dataset/${walker.id}`);
  expect(body).toMatchObject({ status_new: 'ERROR', fatal_error_msg: expect.any(String) });
  expect((await walker.api.post(`/dataset/${walker.id}/snapshot/current/restore`)).status).toBe(202);
  await walker.api.atRest();
  expect(await stateOf(walker)).toEqual(reached);
  const { statuses, statuses_seen, currents, restores, tasks } = taken;
  console.log(
    `${WALK.length} steps: ${statuses} changes of status, ${statuses_seen} of them seen on the way; ${currents} of the current snapshot; ` +
      `${restores} restores; ${tasks} tasks. ${kills} kills, ${nUndone} of which undid their step`,
  );
});

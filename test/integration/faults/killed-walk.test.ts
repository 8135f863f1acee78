import { readdirSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import type { Dataset } from '../../../src-main/contract/schemas/dataset.ts';
import type { Task } from '../../../src-main/contract/schemas/task.ts';
import { Api } from '../../support/api.ts';
import { noteFault } from '../../support/fault-count.ts';
import { seeded } from '../../support/images.ts';
import { checkFolder } from '../../support/kills/check-folder.ts';
import { type RestState, type Step, stateOf, WALK, type Walker } from '../../support/kills/walk.ts';
import { type Server, startServer } from '../../support/server.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** Kills at random moments of the walk. */
const KILLS = Number(process.env.VITRINE_TEST_WALK_KILLS ?? 4);
const SEED = Number(process.env.VITRINE_TEST_SEED ?? 1);
const LATEST_KILL_MS = 900;
const NOTHING: RestState = { status: 'none', items: [], snapshots: [], current: null };

async function started(data: string): Promise<{ server: Server; walker: Walker }> {
  const server = await startServer(data);
  onTestFinished(() => {
    server.process.kill('SIGKILL');
  });
  return { server, walker: { api: new Api(server.baseUrl), id: '' } };
}

/** Statuses that a dataset has from now on, one after the other, until it is told to stop. */
function follow(walker: Walker): () => Promise<RestState['status'][]> {
  let following = true;
  const seen: RestState['status'][] = [];
  const run = async () => {
    while (following) {
      const { status, body } = await walker.api.get<Dataset>(`/dataset/${walker.id}`);
      if (status === 200 && seen.at(-1) !== body.status_new) seen.push(body.status_new);
      await pause(5);
    }
    return seen;
  };
  const ended = walker.id === '' ? Promise.resolve(seen) : run();
  return () => {
    following = false;
    return ended;
  };
}

function isOnPath(seen: readonly RestState['status'][], path: Step['path']): boolean {
  let at = 0;
  return seen.every((status) => {
    at = path.indexOf(status, at);
    return at >= 0;
  });
}

it('a dataset goes through every transition, with its tasks and snapshots', async () => {
  const data = await temporaryFolder();
  const { server, walker } = await started(data);
  for (const step of WALK) {
    const stop = follow(walker);
    await step.ask(walker);
    await walker.api.atRest();
    expect(await stateOf(walker), step.name).toEqual(step.after);
    const seen = await stop();
    expect(isOnPath(seen, step.path), `${step.name}: ${seen} is not on the way ${step.path}`).toBe(true);
    if (step.task === undefined) continue;
    const { body } = await walker.api.get<{ tasks: Task[] }>(`/tasks?dataset_id=${walker.id}&task_type=${step.task}`);
    expect(body.tasks[0], step.name).toMatchObject({ status: 'COMPLETED', progress_percentage: 100 });
  }
  // From ERROR, too.
  await server.stop();
  const folder = join(data, 'datasets', walker.id);
  const generation = readdirSync(folder).find((name) => /^\d+$/.test(name)) ?? '';
  truncateSync(join(folder, generation, 'data.db'), 100);
  const { walker: again } = await started(data);
  const { body } = await again.api.get<Dataset>(`/dataset/${walker.id}`);
  expect(body.status_new).toBe('ERROR');
  expect((await again.api.post(`/dataset/${walker.id}/snapshot/current/restore`)).status).toBe(202);
  await again.api.atRest();
  expect(await stateOf(again)).toEqual(WALK.at(-1)?.after);
});

it(`${KILLS} kills at random moments of it leave the state before or after the step`, {
  timeout: 240_000 + KILLS * 30_000,
}, async () => {
  const random = seeded(SEED);
  const data = await temporaryFolder();
  let { server, walker } = await started(data);
  let reached = NOTHING;
  let kills = 0;
  for (let at = 0; at < WALK.length; ) {
    const step = WALK[at] as Step;
    // Spread over the walk, which begins again while some are left.
    const isKilled = kills < KILLS && random() < Math.max(0.3, KILLS / WALK.length);
    const asked = step.ask(walker).then(
      () => undefined,
      (error: unknown) => error,
    );
    if (isKilled) {
      kills += 1;
      noteFault();
      await pause(random() * LATEST_KILL_MS);
      await server.stop('SIGKILL');
      ({ server, walker } = await started(data));
    }
    const failure = await asked;
    if (failure !== undefined && !(isKilled && failure instanceof TypeError)) throw failure;
    await walker.api.atRest();
    const now = await stateOf(walker);
    expect([reached, step.after], `${step.name}, kill ${kills} of seed ${SEED}`).toContainEqual(now);
    if (isKilled) {
      await checkFolder(data);
      expect((await walker.api.get('/recovery')).body).toEqual({ events: [], n_new: 0 });
    }
    if (JSON.stringify(now) === JSON.stringify(step.after)) {
      reached = step.after;
      at += 1;
    } else {
      expect(isKilled, `${step.name} did nothing`).toBe(true);
    }
    if (at === WALK.length && kills < KILLS) {
      await walker.api.call('DELETE', `/dataset/${walker.id}`);
      walker.id = '';
      reached = NOTHING;
      at = 0;
    }
  }
  console.log(`${kills} kills in the walk through every transition`);
});

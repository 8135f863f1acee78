import { expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { AppError } from '../../../src-main/contract/errors.ts';
import { asWritten } from '../../../src-main/contract/messages.ts';
import type { TaskType } from '../../../src-main/contract/schemas/task.ts';
import { ensureLocalOwner } from '../../../src-main/core/access/local-owner.ts';
import { ensurePrimaryWorkspace } from '../../../src-main/core/accounts/primary-workspace.ts';
import { EventBus } from '../../../src-main/core/events.ts';
import { defineTask, STOPPED, type TaskDefinition, type TaskRun } from '../../../src-main/core/tasks/define-task.ts';
import { TaskRepository } from '../../../src-main/core/tasks/task.repository.ts';
import { TaskService } from '../../../src-main/core/tasks/task.service.ts';
import { TaskRunner } from '../../../src-main/core/tasks/task-runner.ts';
import { openCatalog } from '../../../src-main/infra/catalog/catalog.ts';
import { randomIds, systemClock } from '../../../src-main/infra/clock.ts';
import { until } from '../../support/api.ts';
import { silentLog } from '../../support/silent-log.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

type Definition = TaskDefinition<Record<string, never>, { at: number }>;

/** Creates the engine on a real catalog with the test's own task definitions. */
async function engine(data?: string) {
  const folder = data ?? (await temporaryFolder());
  const { catalog } = await openCatalog(folder);
  const owner = ensureLocalOwner(
    catalog,
    systemClock,
    randomIds,
    ensurePrimaryWorkspace(catalog, systemClock, randomIds),
  );
  const repository = new TaskRepository(catalog);
  const reserve = {
    given_up: 0,
    giveUp: () => {
      reserve.given_up += 1;
    },
    setAside: () => undefined,
  };
  const runner = new TaskRunner({
    catalog,
    tasks: repository,
    events: new EventBus((error) => expect.fail(String(error))),
    clock: systemClock,
    log: silentLog,
    normalise: (error) => error,
    reserve,
    onProgress: () => undefined,
  });
  const tasks = new TaskService(repository, runner, systemClock, randomIds, () => 1);
  const addDataset = (id: string) => {
    catalog.run(
      `INSERT INTO dataset (dataset_id, display_name, description, source_type, source_uri, owner_id, status_new, status, progress,
         n_images, n_videos, n_objects, n_file_errors, generation, preview_media_ids, created_at, updated_at)
       VALUES (:id, :id, '', 'FOLDER', '', :owner, 'READY', 'READY', 0, 0, 0, 0, 0, 1, '[]', '', '')`,
      { id, owner: owner.user_id },
    );
    return id;
  };
  const start = (definition: Definition, datasetId: string) => {
    const taskId = catalog.transaction(() => tasks.start(definition, datasetId, {}, owner.email));
    tasks.wake();
    return taskId;
  };
  const statusOf = (taskId: string) => repository.find(taskId)?.status;
  const attemptsOf = (taskId: string) => repository.find(taskId)?.attempts;
  let closed = false;
  const close = async () => {
    if (closed) return;
    closed = true;
    await runner.close();
    catalog.close();
  };
  onTestFinished(close);
  return { folder, runner, tasks, reserve, addDataset, start, statusOf, attemptsOf, close };
}

/** Rejects when the run is interrupted. */
const interrupted = (task: TaskRun<unknown, unknown>) =>
  new Promise<never>((_resolve, reject) => {
    task.signal.addEventListener('abort', () => reject(task.signal.reason), { once: true });
  });

function definition(type: TaskType, parts: Partial<Definition>): Definition {
  return defineTask({
    type,
    input: z.object({}),
    lane: 'ingest',
    exclusive: true,
    recovery: 'resume',
    run: async (task) => task.commit(asWritten('Done'), () => undefined),
    onFailure: () => undefined,
    ...parts,
  });
}

const full = () => new AppError('disk_full', asWritten('full'));

it('two long enrichments delay neither each other’s dataset nor quick work', async () => {
  const { runner, addDataset, start, statusOf } = await engine();
  const long = definition('ENRICHMENT', { lane: 'enrich', run: interrupted });
  const quick = definition('REINDEX', { lane: 'quick' });
  runner.define(long, quick);
  const first = start(long, addDataset('a'));
  const second = start(long, addDataset('b'));
  const third = start(quick, addDataset('c'));
  await until(
    () => statusOf(third),
    (status) => status === 'COMPLETED',
  );
  expect([statusOf(first), statusOf(second)]).toEqual(['RUNNING', 'INITIALIZING']);
});

it('of two writers on a dataset the second is refused, and so is a writer beside a reader', async () => {
  const { runner, tasks, addDataset, start, statusOf } = await engine();
  const source = addDataset('source');
  const copy = addDataset('copy');
  const writer = definition('MEDIA_ADDITION', { run: interrupted });
  let finish: () => void = () => undefined;
  const reader = definition('ENRICHMENT', {
    reads: () => [source],
    run: async (task) => {
      await new Promise<void>((resolve) => {
        finish = resolve;
      });
      task.commit(asWritten(''), () => undefined);
    },
  });
  runner.define(writer, reader);
  start(writer, copy);
  expect(() => start(writer, copy)).toThrow('Another operation is running');
  expect(() => start(reader, copy)).toThrow('Another operation is running');
  const reading = start(reader, addDataset('other'));
  expect(() => start(writer, source)).toThrow('Another operation is running');
  expect(() => tasks.assertNotBlocked('delete_dataset', source)).toThrow(/blocked while ENRICHMENT/);
  finish();
  await until(
    () => statusOf(reading),
    (status) => status === 'COMPLETED',
  );
  start(writer, source);
});

it('releases what a task needed when it has completed, failed, or was aborted while it ran or waited', async () => {
  const { runner, tasks, addDataset, start, statusOf } = await engine();
  const released: string[] = [];
  const onEnded = async (datasetId: string) => {
    released.push(`${datasetId} ${statusOf(ids.get(datasetId) ?? '')}`);
  };
  const parts = { onEnded, abort: { reason: STOPPED } };
  const fails = async () => {
    throw new Error('fails');
  };
  const done = definition('REINDEX', parts);
  const failing = definition('PROJECTION', { ...parts, run: fails });
  const long = definition('ENRICHMENT', { ...parts, lane: 'enrich', run: interrupted });
  runner.define(done, failing, long);
  const ids = new Map<string, string>();
  for (const [id, task] of Object.entries({ done, failing, running: long, waiting: long })) {
    ids.set(addDataset(id), start(task, id));
  }
  for (const id of ['waiting', 'running']) await tasks.stop(ids.get(id) ?? '');
  await Promise.all([...ids.values()].map((id) => runner.whenEnded(id)));
  expect(released.sort()).toEqual(['done COMPLETED', 'failing FAILED', 'running ABORTED', 'waiting ABORTED']);
});

it('counts a crashed run only if it saved nothing', async () => {
  const run = { saves: false };
  const slow = definition('MEDIA_ADDITION', {
    run: async (task) => {
      task.beginStep(asWritten('Working'), { from: 0, to: 1 }, 10);
      if (run.saves) task.reportSaved(1);
      await interrupted(task);
    },
  });
  const first = await engine();
  first.runner.define(slow);
  const taskId = first.start(slow, first.addDataset('a'));
  await until(
    () => first.attemptsOf(taskId),
    (attempts) => attempts === 1,
  );
  await first.close();

  const quit = await engine(first.folder);
  expect(quit.attemptsOf(taskId)).toBe(0);
  quit.runner.define(slow);
  run.saves = true;
  quit.runner.recover();
  await until(
    () => quit.attemptsOf(taskId),
    (attempts) => attempts === 1,
  );
});

it('undoes the work of a failed task, and waits for free space if necessary', async () => {
  const { runner, reserve, addDataset, start, statusOf } = await engine();
  const left = { undone: 0 };
  const failing = definition('MEDIA_ADDITION', {
    run: async () => {
      throw full();
    },
    undo: async () => {
      left.undone += 1;
      if (left.undone === 1) throw full();
    },
  });
  runner.define(failing);
  const first = start(failing, addDataset('a'));
  await until(
    () => statusOf(first),
    (status) => status === 'FAILED',
  );
  expect(left.undone).toBe(2);
  expect(reserve.given_up).toBe(1);
  const second = start(failing, addDataset('b'));
  await until(
    () => statusOf(second),
    (status) => status === 'FAILED',
  );
});

it('continues a task that can no longer be undone when there is free space again', async () => {
  const { runner, addDataset, start, statusOf } = await engine();
  const seen: (number | undefined)[] = [];
  const stubborn = definition('MEDIA_ADDITION', {
    isPastUndo: ({ at }) => at === 1,
    run: async (task) => {
      seen.push(task.checkpoint.at);
      task.saveCheckpoint({ at: 1 });
      if (seen.length < 3) throw full();
      task.commit(asWritten('Done'), () => undefined);
    },
    undo: () => expect.fail('must not be undone'),
  });
  runner.define(stubborn);
  const taskId = start(stubborn, addDataset('a'));
  await until(
    () => statusOf(taskId),
    (status) => status === 'COMPLETED',
  );
  expect(seen).toEqual([undefined, 1, 1]);
});

it('ends a task of a type that does not resume, and resumes an interrupted undo', async () => {
  const undone: string[] = [];
  const held = definition('REINDEX', { recovery: 'fail', run: interrupted });
  const undoing = definition('MEDIA_ADDITION', {
    run: async () => {
      throw new AppError('invalid_request', asWritten('nothing usable'));
    },
    undo: async (task) => {
      undone.push(task.task_id);
      if (undone.length === 1) await interrupted(task);
    },
  });
  const first = await engine();
  first.runner.define(held, undoing);
  const reindex = first.start(held, first.addDataset('a'));
  const added = first.start(undoing, first.addDataset('b'));
  await until(
    () => undone.length,
    (length) => length === 1,
  );
  await first.close();

  const second = await engine(first.folder);
  second.runner.define(held, undoing);
  second.runner.recover();
  await until(
    () => second.statusOf(reindex),
    (status) => status === 'FAILED',
  );
  await until(
    () => second.statusOf(added),
    (status) => status === 'FAILED',
  );
  expect(undone).toEqual([added, added]);
});

it('a pause interrupts long tasks and holds waiting ones; at its end they resume from their checkpoint', async () => {
  const { runner, addDataset, start, statusOf, attemptsOf } = await engine();
  const runs: number[] = [];
  const long = definition('ENRICHMENT', {
    lane: 'enrich',
    run: async (task) => {
      runs.push(task.checkpoint.at ?? 0);
      if (task.checkpoint.at !== undefined) return task.commit(asWritten('Done'), () => undefined);
      task.saveCheckpoint({ at: 5 });
      await interrupted(task);
    },
  });
  const quick = definition('REINDEX', { lane: 'quick' });
  runner.define(long, quick);
  const first = start(long, addDataset('a'));
  const second = start(long, addDataset('b'));
  await until(
    () => runs.length,
    (n) => n === 1,
  );
  await runner.pause();
  expect(runner.isPaused).toBe(true);
  const third = start(quick, addDataset('c'));
  await until(
    () => statusOf(third),
    (status) => status === 'COMPLETED',
  );
  expect([statusOf(first), statusOf(second)]).toEqual(['RUNNING', 'INITIALIZING']);
  expect([runs, attemptsOf(first)]).toEqual([[0], 0]);
  runner.resume();
  await until(
    () => statusOf(first),
    (status) => status === 'COMPLETED',
  );
  expect(runs.slice(0, 2)).toEqual([0, 5]);
});

it('a task that is interrupted by a pause can be aborted, and is not resumed', async () => {
  const { runner, tasks, addDataset, start, statusOf } = await engine();
  let nRuns = 0;
  const long = definition('ENRICHMENT', {
    lane: 'enrich',
    abort: { reason: STOPPED },
    run: async (task) => {
      nRuns += 1;
      await interrupted(task);
    },
  });
  runner.define(long);
  const taskId = start(long, addDataset('a'));
  await until(
    () => nRuns,
    (n) => n === 1,
  );
  await runner.pause();
  await tasks.stop(taskId);
  expect(statusOf(taskId)).toBe('ABORTED');
  runner.resume();
  expect([nRuns, runner.isRunning('a')]).toEqual([1, false]);
});

it('a pause that ends at once leaves no task behind', async () => {
  const { runner, addDataset, start, statusOf } = await engine();
  let nRuns = 0;
  const long = definition('ENRICHMENT', {
    lane: 'enrich',
    run: async (task) => {
      nRuns += 1;
      if (nRuns === 1) await interrupted(task);
      task.commit(asWritten('Done'), () => undefined);
    },
  });
  runner.define(long);
  const taskId = start(long, addDataset('a'));
  await until(
    () => nRuns,
    (n) => n === 1,
  );
  const pausing = runner.pause();
  runner.resume();
  await pausing;
  await until(
    () => statusOf(taskId),
    (status) => status === 'COMPLETED',
  );
});

it('the end of a pause resumes no task of a dataset that is being deleted', async () => {
  const { runner, addDataset, start } = await engine();
  let nRuns = 0;
  const long = definition('ENRICHMENT', {
    lane: 'enrich',
    run: async (task) => {
      nRuns += 1;
      await interrupted(task);
    },
  });
  runner.define(long);
  start(long, addDataset('a'));
  await until(
    () => nRuns,
    (n) => n === 1,
  );
  await runner.stopDataset('a');
  await runner.pause();
  runner.resume();
  expect([nRuns, runner.isRunning('a')]).toEqual([1, false]);
});

import { expect, it, onTestFinished } from 'vitest';
import { type Message, message } from '../../../src-main/contract/messages.ts';
import { ensureLocalOwner } from '../../../src-main/core/access/local-owner.ts';
import { ensurePrimaryWorkspace } from '../../../src-main/core/accounts/primary-workspace.ts';
import { EventBus } from '../../../src-main/core/events.ts';
import { ModelImports } from '../../../src-main/core/models/model-imports.ts';
import type { ImportResult, ModelStore } from '../../../src-main/core/ports/model-store.ts';
import { TaskRepository } from '../../../src-main/core/tasks/task.repository.ts';
import { TaskService } from '../../../src-main/core/tasks/task.service.ts';
import { TaskRunner } from '../../../src-main/core/tasks/task-runner.ts';
import { openCatalog } from '../../../src-main/infra/catalog/catalog.ts';
import { randomIds, systemClock } from '../../../src-main/infra/clock.ts';
import { silentLog } from '../../support/silent-log.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** Opens imports on a separate catalog. `importFrom` replaces the store's method; `mayStart` returns whether a task can start. */
async function openImports(importFrom: ModelStore['importFrom'], mayStart: () => boolean = () => true) {
  const { catalog } = await openCatalog(await temporaryFolder());
  const owner = ensureLocalOwner(
    catalog,
    systemClock,
    randomIds,
    ensurePrimaryWorkspace(catalog, systemClock, randomIds),
  );
  const repository = new TaskRepository(catalog);
  const runner = new TaskRunner({
    catalog,
    tasks: repository,
    events: new EventBus((error) => expect.fail(String(error))),
    clock: systemClock,
    log: silentLog,
    normalise: (error) => error,
    reserve: {
      giveUp: () => undefined,
      setAside: () => {
        if (!mayStart()) throw new Error('the disk is gone');
      },
    },
    onProgress: () => undefined,
  });
  const tasks = new TaskService(repository, runner, systemClock, randomIds, () => 1);
  const imports = new ModelImports({ store: { importFrom }, tasks, log: silentLog });
  runner.define(imports.task);
  onTestFinished(async () => {
    await runner.close();
    catalog.close();
  });
  const run = (busy: (packageId: string) => Message | undefined = () => undefined) =>
    imports.run('/models', busy, owner.email);
  return { imports, run };
}

const NOTHING: ImportResult = { imported: [], refused: [] };

it('rejects when the task failed before its start, and accepts the next import', async () => {
  let mayStart = false;
  const { imports, run } = await openImports(
    async () => NOTHING,
    () => mayStart,
  );
  await expect(run()).rejects.toMatchObject({ code: 'unavailable' });
  expect(imports.isRunning).toBe(false);
  mayStart = true;
  expect(await run()).toEqual(NOTHING);
});

it('imports one folder at a time', async () => {
  const held = Promise.withResolvers<ImportResult>();
  const { imports, run } = await openImports(() => held.promise);
  const first = run();
  expect(imports.isRunning).toBe(true);
  await expect(run()).rejects.toMatchObject({ code: 'conflict' });
  held.resolve(NOTHING);
  await first;
  expect(imports.isRunning).toBe(false);
});

it('lets the store ask which packages are in use', async () => {
  const answers: unknown[] = [];
  const { run } = await openImports(async (_path, busy) => {
    answers.push(busy('used'), busy('free'));
    return NOTHING;
  });
  await run((packageId) => (packageId === 'used' ? message('model_is_in_use') : undefined));
  expect(answers).toEqual([message('model_is_in_use'), undefined]);
});

it('rejects with the error of the store', async () => {
  const { imports, run } = await openImports(() => Promise.reject(new Error('not a folder')));
  await expect(run()).rejects.toThrow('not a folder');
  expect(imports.isRunning).toBe(false);
});

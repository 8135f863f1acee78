import { expect, it, onTestFinished } from 'vitest';
import { ensureLocalOwner } from '../../../src-main/core/access/local-owner.ts';
import { ensurePrimaryWorkspace } from '../../../src-main/core/accounts/primary-workspace.ts';
import { EventBus } from '../../../src-main/core/events.ts';
import { ModelImports } from '../../../src-main/core/models/model-imports.ts';
import type { ModelStore } from '../../../src-main/core/ports/model-store.ts';
import { TaskRepository } from '../../../src-main/core/tasks/task.repository.ts';
import { TaskService } from '../../../src-main/core/tasks/task.service.ts';
import { TaskRunner } from '../../../src-main/core/tasks/task-runner.ts';
import { openCatalog } from '../../../src-main/infra/catalog/catalog.ts';
import { randomIds, systemClock } from '../../../src-main/infra/clock.ts';
import { silentLog } from '../../support/silent-log.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

it('tells whoever waits that the task failed before it could begin, and takes the next import', async () => {
  const { catalog } = await openCatalog(await temporaryFolder());
  const owner = ensureLocalOwner(
    catalog,
    systemClock,
    randomIds,
    ensurePrimaryWorkspace(catalog, systemClock, randomIds),
  );
  const repository = new TaskRepository(catalog);
  let fails = true;
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
        if (fails) throw new Error('the disk is gone');
      },
    },
    onProgress: () => undefined,
  });
  const store = { importFrom: async () => ({ imported: [], refused: [] }) } as Pick<ModelStore, 'importFrom'>;
  const tasks = new TaskService(repository, runner, systemClock, randomIds);
  const imports = new ModelImports({ store, tasks, log: silentLog });
  runner.define(imports.task);
  onTestFinished(async () => {
    await runner.close();
    catalog.close();
  });
  const run = () => imports.run('/models', () => undefined, owner.email);
  await expect(run()).rejects.toMatchObject({ code: 'unavailable' });
  expect(imports.isRunning).toBe(false);
  fails = false;
  expect(await run()).toEqual({ imported: [], refused: [] });
});

import { defineCloneSnapshotTask } from '../core/snapshots/clone-snapshot.task.ts';
import { OrphanedOriginals } from '../core/snapshots/orphaned-originals.ts';
import { defineRestoreSnapshotTask } from '../core/snapshots/restore-snapshot.task.ts';
import { SnapshotRepository } from '../core/snapshots/snapshot.repository.ts';
import { SnapshotService } from '../core/snapshots/snapshot.service.ts';
import type { Datasets } from './datasets.ts';
import type { Indexing } from './indexing.ts';
import type { Models } from './models.ts';
import type { Platform } from './platform.ts';

/** Services that create, restore, clone and compare snapshots. */
export type Snapshots = ReturnType<typeof composeSnapshots>;

export function composeSnapshots(
  platform: Platform,
  { datasets, drafts, tasks, runner }: Datasets,
  { followUps, snapshotKeeper: keeper, orphanedFrames, services: { watching } }: Indexing,
  { enrichments }: Models,
) {
  const rows = new SnapshotRepository(platform.catalog);
  const orphaned = new OrphanedOriginals(platform);
  const parts = {
    ...platform,
    datasets,
    drafts,
    tasks,
    rows,
    enrichments,
    orphaned,
    orphanedFrames,
    followUps,
    watching,
  };
  const restoreTask = defineRestoreSnapshotTask(parts);
  const cloneTask = defineCloneSnapshotTask(parts);
  runner.define(restoreTask, cloneTask);
  return { services: { snapshots: new SnapshotService({ ...parts, keeper, restoreTask, cloneTask }) }, orphaned };
}

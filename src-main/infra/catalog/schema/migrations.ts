import type { Migration } from '../../sqlite/open-database.ts';
import { catalog } from './001-catalog.ts';
import { enrichment } from './002-enrichment.ts';
import { namesRepeat } from './003-names-repeat.ts';
import { datasetRecords } from './004-dataset-records.ts';
import { taskLocks } from './005-task-locks.ts';
import { tasksOfTheService } from './006-tasks-of-the-service.ts';
import { wantedEncoder } from './007-wanted-encoder.ts';
import { taskOrder } from './008-task-order.ts';
import { shares } from './009-shares.ts';
import { snapshots } from './010-snapshots.ts';
import { exportsOfDatasets } from './011-exports.ts';
import { views } from './012-views.ts';
import { accounts } from './013-accounts.ts';
import { taskIndices } from './014-task-indices.ts';

/** The schema of catalog.db, in the order in which it came to be. */
export const catalogMigrations: readonly Migration[] = [
  catalog,
  enrichment,
  namesRepeat,
  datasetRecords,
  taskLocks,
  tasksOfTheService,
  wantedEncoder,
  taskOrder,
  shares,
  snapshots,
  exportsOfDatasets,
  views,
  accounts,
  taskIndices,
];

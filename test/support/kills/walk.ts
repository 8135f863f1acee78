import type { Task } from '../../../src-main/contract/schemas/task.ts';
import { NOTHING, type RestState } from './walk-state.ts';
import * as steps from './walk-steps.ts';

type Path = readonly RestState['status'][];

export interface Step {
  name: string;
  ask: steps.Ask;
  /** Statuses on the way, in order; some may be too short to be observed. `pathOf` has those of other datasets, by name. */
  path: Path;
  pathOf?: Readonly<Record<string, Path>>;
  /** The snapshot that is restored on the way. */
  restores?: string;
  /** Final status of the newest task of a type. */
  task?: readonly [Task['task_type'], Task['status']];
  after: RestState;
  /** A state that a kill may leave instead of the states before and after. A repeated request continues from there. */
  instead?: RestState;
}

const names = (...seeds: number[]) => seeds.map((seed) => `image-${seed}.jpg`);

const FIRST = names(1, 2, 3, 4);
const ALL = names(1, 2, 3, 4, 5, 6, 7, 8);
const READY: Path = ['READY'];
const ADDED: Path = ['READY', 'READ ONLY', 'PARTIAL INDEX'];
const READ_ONLY: Path = ['READY', 'READ ONLY', 'READY'];
const CREATED: Path = ['none', 'INDEXING', 'READY'];
const addition = ['MEDIA_ADDITION', 'COMPLETED'] as const;
const restoring = ['SNAPSHOT_RESTORE', 'COMPLETED'] as const;
const creation = ['DATASET_CREATION', 'COMPLETED'] as const;
const folder = `folder READY ${steps.FILES_OF_FOLDER}`;

/** A step with the changes that it makes to the state. */
type PlannedStep = Omit<Step, 'after' | 'instead'> & {
  changes: Partial<RestState>;
  instead?: Partial<RestState>;
};

const PLAN: readonly PlannedStep[] = [
  { name: 'new_dataset', ask: steps.createDraft, path: ['none', 'DRAFT'], changes: { status: 'DRAFT' } },
  {
    name: 'process_files',
    ask: steps.processFiles,
    path: ['DRAFT', 'INDEXING', 'READY'],
    task: creation,
    changes: { status: 'READY', items: FIRST, snapshots: ['first'], current: 'first' },
  },
  {
    name: 'create one',
    ask: steps.keep('one'),
    path: READY,
    changes: { snapshots: ['one', 'first'], current: 'one' },
  },
  { name: 'save a view', ask: steps.saveView, path: READY, changes: { view: { is_alerting: true, trend: [] } } },
  {
    name: 'add_media',
    ask: steps.add([5, 6]),
    path: ADDED,
    task: addition,
    changes: {
      status: 'PARTIAL INDEX',
      items: names(1, 2, 3, 4, 5, 6),
      view: { is_alerting: true, trend: [2] },
      unread: 1,
    },
  },
  {
    name: 'add_media in PARTIAL INDEX',
    ask: steps.add([7]),
    path: ['PARTIAL INDEX', 'READ ONLY', 'PARTIAL INDEX'],
    task: addition,
    changes: { items: names(1, 2, 3, 4, 5, 6, 7), view: { is_alerting: true, trend: [2, 1] }, unread: 2 },
  },
  { name: 'read all notifications', ask: steps.readAll, path: ['PARTIAL INDEX'], changes: { unread: 0 } },
  {
    name: 'reindex',
    ask: steps.reindex,
    path: ['PARTIAL INDEX', 'READ ONLY', 'INDEXING', 'READY'],
    task: ['REINDEX', 'COMPLETED'],
    changes: { status: 'READY' },
  },
  {
    name: 'mute the view',
    ask: steps.muteView,
    path: READY,
    changes: { view: { is_alerting: false, trend: [2, 1] } },
  },
  {
    name: 'add_media with auto_reindex',
    ask: steps.add([8], { auto_reindex: 'true' }),
    path: ['READY', 'READ ONLY', 'INDEXING', 'READY'],
    task: addition,
    changes: { items: ALL, view: { is_alerting: false, trend: [2, 1, 1] } },
  },
  {
    name: 'import metadata',
    ask: steps.fillField,
    path: READY,
    task: ['CUSTOM_METADATA', 'COMPLETED'],
    changes: { fields: ['weight'] },
  },
  { name: 'export', ask: steps.exportAll, path: READY, task: ['EXPORT', 'COMPLETED'], changes: { n_exports: 1 } },
  {
    name: 'enrich',
    ask: steps.enrich,
    path: READ_ONLY,
    pathOf: { 'walk (enriched)': CREATED },
    task: ['ENRICHMENT', 'COMPLETED'],
    changes: { others: ['walk (enriched) READY 8'] },
  },
  {
    name: 'clone one',
    ask: steps.clone('one'),
    path: READY,
    pathOf: { 'walk (cloned)': CREATED },
    task: ['SNAPSHOT_CLONE', 'COMPLETED'],
    changes: { others: ['walk (cloned) READY 4', 'walk (enriched) READY 8'] },
  },
  {
    name: 'delete the enriched copy',
    ask: steps.deleteDataset('walk (enriched)'),
    path: READY,
    changes: { others: ['walk (cloned) READY 4'] },
  },
  { name: 'delete the clone', ask: steps.deleteDataset('walk (cloned)'), path: READY, changes: { others: [] } },
  { name: 'create a user', ask: steps.createUser, path: READY, changes: { users: ['walker viewer'] } },
  {
    name: 'make the user an editor',
    ask: steps.makeEditor,
    path: READY,
    changes: { users: ['walker editor'] },
  },
  { name: 'create an API key', ask: steps.createKey, path: READY, changes: { key: true } },
  {
    name: 'disable the user',
    ask: steps.setEnabled(false),
    path: READY,
    changes: { users: ['walker editor disabled'], key: false },
  },
  {
    name: 'enable the user',
    ask: steps.setEnabled(true),
    path: READY,
    changes: { users: ['walker editor'], key: true },
  },
  { name: 'delete the user', ask: steps.deleteUser, path: READY, changes: { users: [], key: false } },
  {
    name: 'create two',
    ask: steps.keep('two'),
    path: READY,
    changes: { snapshots: ['two', 'one', 'first'], current: 'two' },
  },
  {
    name: 'restore one',
    ask: steps.restore('one'),
    path: READ_ONLY,
    restores: 'one',
    task: restoring,
    changes: { items: FIRST, fields: [], current: 'one' },
  },
  {
    name: 'restore two',
    ask: steps.restore('two'),
    path: READ_ONLY,
    restores: 'two',
    task: restoring,
    changes: { items: ALL, fields: ['weight'], current: 'two' },
  },
  { name: 'exclude', ask: steps.excludeFirst, path: READY, changes: { items: ALL.slice(1) } },
  {
    name: 'restore current',
    ask: steps.restore('current'),
    path: READ_ONLY,
    restores: 'two',
    task: restoring,
    changes: { items: ALL },
  },
  {
    name: 'add_media again',
    ask: steps.add([9]),
    path: ADDED,
    task: addition,
    changes: {
      status: 'PARTIAL INDEX',
      items: [...ALL, ...names(9)],
      view: { is_alerting: false, trend: [2, 1, 1, 1] },
    },
  },
  {
    name: 'restore one in PARTIAL INDEX',
    ask: steps.restore('one'),
    path: ['PARTIAL INDEX', 'READ ONLY', 'READY'],
    restores: 'one',
    task: restoring,
    changes: { status: 'READY', items: FIRST, fields: [], current: 'one' },
  },
  { name: 'delete two', ask: steps.deleteSnapshot('two'), path: READY, changes: { snapshots: ['one', 'first'] } },
  { name: 'delete the view', ask: steps.deleteView, path: READY, changes: { view: null } },
  {
    name: 'create from a folder without images',
    ask: steps.createFromNothing,
    path: READY,
    pathOf: { folder: ['none', 'INDEXING', 'ERROR'] },
    task: ['DATASET_CREATION', 'FAILED'],
    changes: { others: ['folder ERROR 0'] },
  },
  {
    name: 'retry what failed',
    ask: steps.retryWithImages,
    path: READY,
    pathOf: { folder: ['ERROR', 'INDEXING', 'READY'] },
    task: creation,
    changes: { others: [folder] },
  },
  {
    name: 'create from a folder and stop',
    ask: steps.createAndStop,
    path: READY,
    pathOf: { folder: ['READY', 'none', 'INDEXING', 'ERROR'] },
    task: ['DATASET_CREATION', 'ABORTED'],
    changes: { others: ['folder stopped'] },
    instead: { others: [] },
  },
  {
    name: 'retry what was stopped',
    ask: steps.retry,
    path: READY,
    pathOf: { folder: ['ERROR', 'INDEXING', 'READY'] },
    task: creation,
    changes: { others: [folder] },
  },
  { name: 'delete it', ask: steps.deleteDataset('folder'), path: READY, changes: { others: [] } },
];

/** Every transition of the interface (section 3), and of accounts, in sequence. */
export const WALK: readonly Step[] = planned(PLAN);

function planned(plan: readonly PlannedStep[]): Step[] {
  let before = NOTHING;
  return plan.map(({ changes, instead, ...step }) => {
    const left = instead && { instead: { ...before, ...instead } };
    before = { ...before, ...changes };
    return { ...step, ...left, after: before };
  });
}

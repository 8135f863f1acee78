import { workerData } from 'node:worker_threads';
import type { QueryPlan } from '../../../core/ports/query.ts';
import { asAppError } from '../../sqlite/open-database.ts';
import { ENOUGH, serveThread } from '../../threads/serve-thread.ts';
import { type WantedIssues, wantedIssues } from '../read/issues/wanted-issues.ts';
import { plansOf, takesLong } from '../read/parts-of-calls.ts';
import { LocalDatasetReader } from './local-dataset-reader.ts';
import type { ReaderStart } from './store-location.ts';

/** A reading thread's entry. */
let opened: LocalDatasetReader | undefined;

function open(): LocalDatasetReader {
  opened ??= new LocalDatasetReader(workerData as ReaderStart);
  return opened;
}

/** Opens the dataset with the first piece, as calls do. */
function* prepare(plans: readonly QueryPlan[], issues: readonly WantedIssues[]): Generator<unknown> {
  for (const plan of plans) yield* open().bringIn(plan);
  yield* open().makeIssues(issues);
  yield ENOUGH;
  for (const plan of plans) yield* open().bringInLater(plan);
}

serveThread({
  methods: () => [open()],
  inOrder: true,
  around: (run) => open().atOneMoment(run),
  ahead: (method, args) => {
    const plans = plansOf(args).filter(takesLong);
    const issues = wantedIssues(method, args) ?? [];
    return plans.length + issues.length > 0 ? prepare(plans, issues) : undefined;
  },
  asError: asAppError,
  onClose: () => opened?.close(),
});

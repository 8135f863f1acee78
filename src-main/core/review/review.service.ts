import { hash } from 'node:crypto';
import { AppError } from '../../contract/errors.ts';
import { message } from '../../contract/messages.ts';
import type { Edit, EditKind } from '../../contract/schemas/edit.ts';
import type { EntityType } from '../../contract/schemas/explore.ts';
import type { IssueName } from '../../contract/schemas/issues.ts';
import type { MediaSelection } from '../../contract/schemas/media-selection.ts';
import type { KeepRule, ReviewEntry, ReviewKind, ReviewQueue, Verdict } from '../../contract/schemas/review.ts';
import type { DatasetContext } from '../access/contexts.ts';
import type { DatasetCatalog } from '../datasets/dataset-catalog.ts';
import type { EditingService } from '../editing/editing.service.ts';
import { ExplorePresenter } from '../explore/explore-presenter.ts';
import type { QueryPlanner } from '../explore/query-planner.ts';
import type { QueryParameters } from '../explore/read-query.ts';
import type { SomeHandlers } from '../handlers.ts';
import type { MediaUrls } from '../media/media-urls.ts';
import type { StoreReads } from '../ports/dataset-store.ts';
import type { RowChange, SelectedRows } from '../ports/edits.ts';
import type { IssueLimits } from '../ports/issue-limits.ts';
import { type Condition, UNLABELED } from '../ports/query.ts';
import type { DoubtfulItem, GroupQueue, ItemQueue } from '../ports/reviews.ts';
import type { ReviewLeases } from './review-leases.ts';

interface QueueInput extends QueryParameters {
  kind: ReviewKind;
  entity_type: EntityType;
  confidence_min?: number | undefined;
  duplicate_threshold: number;
  within_cut_off: boolean;
}

interface DecisionInput {
  queue_id: string;
  verdict: Verdict;
  media_selection: MediaSelection;
  keep_media_id?: string | undefined;
  exclude: boolean;
  add_tags: string[];
  remove_tags: string[];
  add_labels: string[];
  remove_labels: string[];
}

interface ApplyInput extends QueueInput {
  suggested_label?: string | undefined;
  keep_rule: KeepRule;
  prefer_folders: string[];
  dry_run: boolean;
}

type OpenQueue = ({ of: 'items' } & ItemQueue) | ({ of: 'groups' } & GroupQueue);

/** What accepting all entries of a queue changes. */
interface Suggestions {
  kind: EditKind;
  changes: RowChange[];
  n_entries: number;
  n_changed: number;
  size_bytes: number;
}

/** Number of further attempts if other users took all found entries meanwhile. */
const RETRIES = 3;

/** Lists doubtful items in queues, and applies decisions on them: [Note: Review]. */
export class ReviewService {
  readonly #datasets: DatasetCatalog;
  readonly #planner: QueryPlanner;
  readonly #editing: EditingService;
  readonly #leases: ReviewLeases;
  readonly #urls: MediaUrls;
  readonly #issueLimits: () => IssueLimits;

  /** The operations that this service handles. */
  readonly handlers = {
    list_review_entries: (context, input) => this.listEntries(context, input),
    decide_review: (context, input) => this.decide(context, input),
    apply_review: (context, input) => this.apply(context, input),
  } satisfies SomeHandlers;

  constructor(parts: {
    datasets: DatasetCatalog;
    planner: QueryPlanner;
    editing: EditingService;
    leases: ReviewLeases;
    urls: MediaUrls;
    issueLimits: () => IssueLimits;
  }) {
    this.#datasets = parts.datasets;
    this.#planner = parts.planner;
    this.#editing = parts.editing;
    this.#leases = parts.leases;
    this.#urls = parts.urls;
    this.#issueLimits = parts.issueLimits;
  }

  async listEntries(
    context: DatasetContext,
    input: QueueInput & { skip: string[]; limit: number },
  ): Promise<ReviewQueue> {
    const store = this.#datasets.browsable(context.dataset);
    const queue = await this.#open(context, store, input);
    const key = `${context.dataset.dataset_id} ${input.entity_type} ${queue.queue_id}`;
    const user = context.principal.email;
    for (let attempt = 0; ; attempt += 1) {
      const page = { skip: [...input.skip, ...this.#leases.heldByOthers(key, user)], limit: input.limit };
      const { entries, ...counts } = await this.#list(context, store, queue, input, page);
      const taken = this.#leases.heldByOthers(key, user);
      const free = entries.filter(({ entry_id }) => !taken.has(entry_id));
      if (free.length === 0 && entries.length > 0 && attempt < RETRIES) continue;
      this.#leases.take(
        key,
        user,
        free.map(({ entry_id }) => entry_id),
      );
      return { queue_id: queue.queue_id, entries: free, ...counts };
    }
  }

  /** @throws AppError `conflict` if all of the items are decided already. */
  async decide(context: DatasetContext, input: DecisionInput): Promise<Edit> {
    const { queue_id, verdict, media_selection, keep_media_id, exclude } = input;
    const { add_tags, remove_tags, add_labels, remove_labels } = input;
    const undecided = await this.#editing.select(context, media_selection, [isUndecided(queue_id)]);
    if (isEmpty(undecided)) throw new AppError('conflict', message('items_decided'));
    const decided = await this.#editing.select(context, media_selection);
    const kept: SelectedRows = keep_media_id
      ? await this.#editing.select(context, [{ type: 'media', payload: { media_ids: [keep_media_id] } }])
      : {};
    const rows = without(decided, kept);
    const of = { kind: 'verdict' as const, queue_id, user: context.principal.email };
    const tagged = (holds: boolean) => (tagId: string) => ({ kind: 'tag' as const, tag_id: tagId, holds, rows });
    const names = {
      added: [...(await this.#editing.tagNames(context, add_tags)), ...add_labels],
      removed: [...(await this.#editing.tagNames(context, remove_tags)), ...remove_labels],
    };
    const changes: RowChange[] = [
      { ...of, verdict, rows },
      ...(keep_media_id ? [{ ...of, verdict: 'kept' as const, rows: kept }] : []),
      ...(exclude ? [{ kind: 'excluded' as const, holds: true, rows }] : []),
      ...add_tags.map(tagged(true)),
      ...remove_tags.map(tagged(false)),
      ...labelChanges(rows, add_labels, remove_labels),
    ];
    return this.#editing.apply(context, kindOf(input), names, changes);
  }

  async apply(context: DatasetContext, input: ApplyInput) {
    const store = this.#datasets.browsable(context.dataset);
    const queue = await this.#open(context, store, input);
    const { kind, changes, ...counts } = await this.#suggest(context, store, queue, input);
    const isApplied = !input.dry_run && counts.n_entries > 0;
    const edit = isApplied ? await this.#editing.apply(context, kind, { added: [], removed: [] }, changes) : null;
    return { queue_id: queue.queue_id, ...counts, edit };
  }

  async #open(context: DatasetContext, store: StoreReads, input: QueueInput): Promise<OpenQueue> {
    const { kind, entity_type, duplicate_threshold, confidence_min, ...query } = input;
    const { plan, vql } = await this.#planner.plan(context, store, { ...query, entity_type });
    if (kind === 'duplicates') {
      if (entity_type !== 'IMAGES') throw new AppError('invalid_request', message('review_of_duplicates_needs_images'));
      return { of: 'groups', queue_id: kind, conditions: plan.conditions, threshold: duplicate_threshold };
    }
    // The name of a query's queue is short and equal for equal queries.
    const queueId = kind === 'query' ? `query-${hash('sha256', `${entity_type} ${vql}`).slice(0, 24)}` : kind;
    const limits = this.#issueLimits();
    const doubt = conditionOf(kind, confidence_min, limits);
    const conditions = [...plan.conditions, ...doubt, isUndecided(queueId)];
    const issue = isIssue(kind) ? { name: kind, limits } : null;
    return { of: 'items', queue_id: queueId, plan: { ...plan, conditions }, issue };
  }

  async #list(
    context: DatasetContext,
    store: StoreReads,
    queue: OpenQueue,
    { kind }: QueueInput,
    page: { skip: string[]; limit: number },
  ): Promise<Omit<ReviewQueue, 'queue_id'>> {
    const presenter = ExplorePresenter.for(this.#urls, context);
    if (queue.of === 'items') {
      const { entries, ...counts } = await store.reviews.listItems(queue, page);
      return { entries: entries.map((found) => itemEntry(presenter, kind, found)), ...counts };
    }
    const { entries, ...counts } = await store.reviews.listGroups(queue, page);
    const shown = entries.flatMap((found): ReviewEntry[] => {
      const group = presenter.copies(found);
      const [item] = group.items;
      if (!item) return [];
      const confidence = Math.min(...group.items.map((copy) => copy.confidence));
      return [
        {
          entry_id: group.cluster_id,
          item,
          group,
          reason: { code: kind, confidence, by_appearance: false },
          suggestion: { action: 'exclude', add_labels: [], remove_labels: [] },
        },
      ];
    });
    return { entries: shown, ...counts };
  }

  async #suggest(
    { principal }: DatasetContext,
    store: StoreReads,
    queue: OpenQueue,
    { kind, keep_rule, prefer_folders, suggested_label }: ApplyInput,
  ): Promise<Suggestions> {
    const of = { kind: 'verdict' as const, queue_id: queue.queue_id, user: principal.email };
    if (queue.of === 'groups') {
      const found = await store.reviews.suggestForGroups(queue, keep_rule, prefer_folders);
      const changes: RowChange[] = [
        { ...of, verdict: 'kept', rows: found.kept },
        { ...of, verdict: 'accepted', rows: found.excluded },
        { kind: 'excluded', holds: true, rows: found.excluded },
      ];
      const { n_entries, n_excluded: nChanged, size_bytes } = found;
      return { kind: 'EXCLUSION', changes, n_entries, n_changed: nChanged, size_bytes };
    }
    if (!isIssue(kind)) throw new AppError('invalid_request', message('review_without_suggestion'));
    const { rows, relabelled, n_entries, size_bytes } = await store.reviews.suggestForItems(queue, suggested_label);
    const counts = { n_entries, n_changed: n_entries, size_bytes };
    const accepted: RowChange = { ...of, verdict: 'accepted', rows };
    if (kind !== 'mislabels') {
      return { kind: 'EXCLUSION', changes: [accepted, { kind: 'excluded', holds: true, rows }], ...counts };
    }
    const labels = relabelled.flatMap((change) => labelChanges(change.rows, [change.add], change.remove));
    return { kind: 'LABELS', changes: [accepted, ...labels], ...counts };
  }
}

function itemEntry(presenter: ExplorePresenter, kind: ReviewKind, found: DoubtfulItem): ReviewEntry {
  const { instead, confidence, by_appearance } = found;
  const item = presenter.item(found.item);
  // The label is replaced if it is the only one; of several, it is not known which one is wrong.
  const remove = found.item.labels.length === 1 ? found.item.labels : [];
  const suggestion =
    kind === 'mislabels' && instead !== null
      ? { action: 'relabel' as const, add_labels: [instead], remove_labels: remove }
      : { action: isIssue(kind) ? ('exclude' as const) : ('mark' as const), add_labels: [], remove_labels: [] };
  return { entry_id: item.media_id, item, group: null, reason: { code: kind, confidence, by_appearance }, suggestion };
}

function isIssue(kind: ReviewKind): kind is Exclude<IssueName, 'duplicates'> {
  return kind !== 'duplicates' && kind !== 'unlabeled' && kind !== 'query';
}

function conditionOf(kind: ReviewKind, confidenceMin: number | undefined, limits: IssueLimits): Condition[] {
  if (kind === 'unlabeled') return [{ name: 'labels', op: 'is', value: [UNLABELED] }];
  if (!isIssue(kind)) return [];
  const least = confidenceMin === undefined ? {} : { confidence_min: confidenceMin };
  return [{ name: 'issues', op: 'issue', value: kind, mode: 'in', limits, ...least }];
}

function isUndecided(queueId: string): Condition {
  return { name: 'reviewed', op: 'is_not', value: queueId };
}

function kindOf({ exclude, add_labels, remove_labels, add_tags, remove_tags }: DecisionInput): EditKind {
  if (exclude) return 'EXCLUSION';
  if (add_labels.length + remove_labels.length > 0) return 'LABELS';
  return add_tags.length + remove_tags.length > 0 ? 'TAGS' : 'REVIEW';
}

function labelChanges(rows: SelectedRows, add: readonly string[], remove: readonly string[]): RowChange[] {
  const change = (holds: boolean) => (label: string) => ({ kind: 'label' as const, label, holds, rows });
  return [...add.map(change(true)), ...remove.map(change(false))];
}

function isEmpty(rows: SelectedRows): boolean {
  return Object.values(rows).every((bits) => bits.every((word) => word === 0));
}

function without(rows: SelectedRows, others: SelectedRows): SelectedRows {
  const left = (['IMAGES', 'OBJECTS'] as const).flatMap((entityType) => {
    const [bits, taken] = [rows[entityType], others[entityType]];
    return bits ? [[entityType, bits.map((word, at) => word & ~(taken?.[at] ?? 0))] as const] : [];
  });
  return Object.fromEntries(left);
}

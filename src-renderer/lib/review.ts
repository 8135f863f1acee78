import type { Result } from '../../src-main/contract/contract.ts';
import type { ExploredType } from '../../src-main/contract/schemas/explore.ts';
import { ISSUES, type IssueName } from '../../src-main/contract/schemas/issues.ts';
import type { ReviewKind } from '../../src-main/contract/schemas/review.ts';
import type { View } from '../../src-main/contract/schemas/view.ts';
import { queryOf } from './explore-source.ts';
import { UNLABELED } from './labels.ts';
import { type Place, type ReviewPlace, routes } from './routes.ts';
import { placeOfView } from './view-place.ts';

export type ReviewEntry = Result<'list_review_entries'>['entries'][number];

/** Address of the review of what Explore shows: the queue of its issue, of duplicates or of items without labels, else of the query. */
export function reviewOf(datasetId: string, place: Place): string {
  const { filters, labels } = place;
  for (const filter of filters) {
    const rest = { ...place, filters: filters.filter((one) => one !== filter) };
    const { issues, duplicates } = filter;
    const issue = ISSUES.find((name) => name === issues?.value);
    if (issue && issues?.mode !== 'out') {
      const least = typeof issues?.confidence_min === 'number' ? issues.confidence_min : undefined;
      return routes.review(datasetId, issue, { ...rest, least: issue === 'duplicates' ? undefined : least });
    }
    if (typeof duplicates?.value === 'number') {
      return routes.review(datasetId, 'duplicates', { ...rest, level: duplicates.value });
    }
  }
  const isUnlabeled = labels.length === 1 && labels[0] === UNLABELED && place.labelMode !== 'none';
  if (isUnlabeled) return routes.review(datasetId, 'unlabeled', { ...place, labels: [] });
  const ofLabels = filters.find(({ labels: of }) => of?.op === 'is' && [of.value].flat()[0] === UNLABELED);
  if (!ofLabels) return routes.review(datasetId, 'query', place);
  return routes.review(datasetId, 'unlabeled', { ...place, filters: filters.filter((one) => one !== ofLabels) });
}

/** Address of the review of a view's results. */
export function reviewOfView(view: View): string {
  const {
    threshold,
    type = 'IMAGES',
    within = 'images',
    labels = [],
    labelMode = 'any',
    filters = [],
    ...rest
  } = placeOfView(view);
  return reviewOf(view.dataset_id, { ...rest, threshold, type, within, labels, labelMode, filters });
}

/** Maximum number of single items in the address of a review. */
export const MAX_REVIEWED_IDS = 500;

/** Address of the review of single items. */
export function reviewOfItems(datasetId: string, type: ExploredType, ids: readonly string[]): string {
  return routes.review(datasetId, 'query', { type, filters: [{ media: { value: ids } }] });
}

/** The queue of a review, as its operations take it. */
export function queueInput(datasetId: string, { kind, level, least, ...place }: Place & ReviewPlace) {
  const { entity_type, ...query } = queryOf(place);
  return {
    dataset_id: datasetId,
    kind,
    entity_type: entity_type === 'OBJECTS' && kind !== 'duplicates' ? ('OBJECTS' as const) : ('IMAGES' as const),
    ...(least === undefined || !isIssue(kind) ? {} : { confidence_min: least }),
    ...(kind === 'duplicates' && level !== undefined ? { duplicate_threshold: level } : {}),
    ...query,
  };
}

export type QueueInput = ReturnType<typeof queueInput>;

/** Whether the queue is of an issue, whose confidence can be limited. */
export function isIssue(kind: ReviewKind): kind is Exclude<IssueName, 'duplicates'> {
  return kind !== 'duplicates' && kind !== 'unlabeled' && kind !== 'query';
}

/** Address of the list that the entries of a queue come from. */
export function listOf(datasetId: string, { kind, level, least, ...place }: Place & ReviewPlace): string {
  const { filters } = place;
  if (kind === 'duplicates') return routes.duplicates(datasetId, level === undefined ? {} : { level });
  if (kind === 'query') return routes.explore(datasetId, place);
  if (kind === 'unlabeled') {
    return routes.explore(datasetId, { ...place, filters: [...filters, { labels: { op: 'is', value: [UNLABELED] } }] });
  }
  const issue = { op: 'issue', value: kind, ...(least === undefined ? {} : { confidence_min: least }) };
  return routes.explore(datasetId, { ...place, filters: [...filters, { issues: issue }] });
}

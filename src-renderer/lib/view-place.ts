import { STRONG_MATCH, type View } from '../../src-main/contract/schemas/view.ts';
import { queryOf } from './explore-source.ts';
import { type PlaceFilter, readFilters } from './filters.ts';
import { type ExplorePlace, type Place, THRESHOLDS, type Threshold } from './routes.ts';

/** Views store granularity as 0 to 1. */
const COARSEST = THRESHOLDS.length - 1;

/** The query of a place, as a view stores it. */
export function viewQueryOf(place: Place, threshold: Threshold | undefined) {
  const { anchor, uploaded } = place;
  const { entity_type, ...query } = queryOf(place);
  const like = anchor === undefined ? [] : [{ similarity: { op: uploaded ? 'upload' : 'media', value: anchor } }];
  const filters = [...like, ...readFilters(query.vql ?? null)];
  return {
    entity_type,
    threshold: (threshold ?? 0) / COARSEST,
    caption: query.caption,
    vql: filters.length === 0 ? undefined : JSON.stringify(filters),
  };
}

/** The Explore address of a view's query. */
export function placeOfView({ filters: { entity_type, threshold, caption, vql } }: View): ExplorePlace {
  const filters = vql as PlaceFilter[];
  const level = Math.round(Number(threshold) * COARSEST);
  const anchor = filters.find(isAnchor);
  const text = caption ?? filters.find(isText)?.text?.value;
  const isWords = filters.some((filter) => isText(filter) && filter.text?.op === 'fts');
  return {
    type: entity_type,
    threshold: THRESHOLDS.find((one) => one === level),
    anchor: anchor === undefined ? undefined : String(anchor.similarity?.value),
    uploaded: anchor?.similarity?.op === 'upload',
    text: text === undefined ? undefined : String(text),
    within: caption !== null ? 'captions' : isWords ? 'words' : 'images',
    filters: filters.filter((filter) => filter !== anchor && (caption !== null || !isText(filter))),
  };
}

/** The request for the matches of a view, as batches are checked, latest first. */
export function matchesQueryOf({ filters: { entity_type, caption, vql } }: View) {
  const filters = (vql as PlaceFilter[]).map((filter) =>
    isAnchor(filter) ? { similarity: { ...filter.similarity, threshold: STRONG_MATCH } } : filter,
  );
  return {
    entity_type,
    within_cut_off: true,
    sort_by: 'created' as const,
    sort_order: 'desc' as const,
    ...(caption === null ? {} : { caption }),
    ...(filters.length === 0 ? {} : { vql: JSON.stringify(filters) }),
  };
}

/** Whether a place shows the query of a view, at any granularity. */
export function isPlaceOf(view: View, place: Place): boolean {
  const query = viewQueryOf(place, undefined);
  const { entity_type, caption, vql } = view.filters;
  if (query.entity_type !== entity_type || (query.caption ?? null) !== caption) return false;
  const printed = (filters: readonly PlaceFilter[]) => filters.map((filter) => JSON.stringify(filter)).sort();
  return String(printed(readFilters(query.vql ?? null))) === String(printed(vql as PlaceFilter[]));
}

/** The anchor of a similarity search. */
function isAnchor({ similarity }: PlaceFilter): boolean {
  return similarity !== undefined && similarity.threshold === undefined;
}

/** The text of a search. */
function isText({ text }: PlaceFilter): boolean {
  return text !== undefined && text.threshold === undefined;
}

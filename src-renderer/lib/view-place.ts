import type { View } from '../../src-main/contract/schemas/view.ts';
import { queryOf } from './explore-source.ts';
import { type PlaceFilter, readFilters } from './filters.ts';
import { type ExplorePlace, type Place, THRESHOLDS, type Threshold } from './routes.ts';

/** Views say from 0 to 1 how finely they group. */
const COARSEST = THRESHOLDS.length - 1;

/** What a place shows, as a view keeps it. */
export function viewQueryOf(place: Place, threshold: Threshold | undefined) {
  const { anchor, uploaded } = place;
  const { entity_type, ...asked } = queryOf(place);
  const like = anchor === undefined ? [] : [{ similarity: { op: uploaded ? 'upload' : 'media', value: anchor } }];
  const filters = [...like, ...readFilters(asked.vql ?? null)];
  return {
    entity_type,
    threshold: (threshold ?? 0) / COARSEST,
    caption: asked.caption,
    vql: filters.length === 0 ? undefined : JSON.stringify(filters),
  };
}

/** Where Explore shows what a view finds. */
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

/** What Explore shows as the image that everything is compared with. */
function isAnchor({ similarity }: PlaceFilter): boolean {
  return similarity !== undefined && similarity.threshold === undefined;
}

/** What Explore shows as the words that are searched for. */
function isText({ text }: PlaceFilter): boolean {
  return text !== undefined && text.threshold === undefined;
}

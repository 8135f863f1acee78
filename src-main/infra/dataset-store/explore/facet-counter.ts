import type { FacetCounts } from '../../../core/ports/explore.ts';
import type { RowSet } from '../../vectors/row-set.ts';
import { tags as tagsCondition } from '../edits/tags.condition.ts';
import { countMetadata } from '../metadata/metadata-facets.ts';
import { DateRanges } from './date-ranges.ts';
import type { Facts } from './row-facts.ts';

/** Maximum number of values returned per facet. */
const MAX_VALUES = 200;

/** Number of powers of two by which pixels are counted. */
const N_SIZES = 32;

/** Counts the values of rows: labels and tags by bitmaps, everything else in one pass over typed columns. */
export function countFacets(
  rows: RowSet,
  facts: Facts,
  {
    tags,
    label_confidence,
  }: { tags: readonly { tag_id: string; name: string }[]; label_confidence: number | undefined },
): Omit<FacetCounts, 'issues'> {
  const labels = facts.labelsFrom(label_confidence);
  const total = rows.count;
  const { items, imageOf } = facts.columns;
  const ofFolders = new Int32Array(items.folders.length);
  const widths = new Int32Array(N_SIZES + 1);
  const heights = new Int32Array(N_SIZES + 1);
  const created = new DateRanges();
  const taken = new DateRanges();
  let nImages = 0;
  rows.forEach((row) => {
    const item = facts.entity_type === 'OBJECTS' ? (imageOf[row] ?? 0) : row;
    addOne(ofFolders, items.folderOf[item] ?? 0);
    addOne(widths, powerOf(items.widths[item] ?? 0));
    addOne(heights, powerOf(items.heights[item] ?? 0));
    created.add(items.created[item] ?? 0);
    taken.add(items.taken[item] ?? 0);
    if ((items.videoOf[item] ?? -1) < 0) nImages += 1;
  });
  const types = [
    { name: 'image' as const, count: nImages },
    { name: 'video_frame' as const, count: total - nImages },
  ];
  const tagged = (value: string) => tagsCondition.rows({ name: 'tags', op: 'is', value: [value] }, facts).countIn(rows);
  return {
    total,
    labels: labels.mostFrequent(rows, MAX_VALUES),
    labels_have_confidence: facts.columns.labels[facts.entity_type].haveConfidences(),
    n_unlabeled: labels.without(facts.count).countIn(rows),
    tags: tags.map(({ tag_id, name }) => ({ tag_id, name, count: tagged(tag_id) })).filter(isThere),
    n_untagged: tagged('untagged'),
    folders: items.folders
      .map((name, number) => ({ name, count: ofFolders[number] ?? 0 }))
      .filter(isThere)
      .sort((a, b) => b.count - a.count || (a.name < b.name ? -1 : 1))
      .slice(0, MAX_VALUES),
    media_types: types.filter(isThere),
    widths: powers(widths),
    heights: powers(heights),
    created: created.list(),
    taken: taken.list(),
    metadata: countMetadata(rows, facts),
  };
}

function isThere({ count }: { count: number }): boolean {
  return count > 0;
}

function addOne(counts: Int32Array, at: number): void {
  counts[at] = (counts[at] as number) + 1;
}

/** Returns the number of bits of a size in pixels. */
function powerOf(pixels: number): number {
  return N_SIZES - Math.clz32(pixels);
}

function powers(counts: Int32Array): { from: number; to: number; count: number }[] {
  const ranges = Array.from(counts, (count, power) => ({
    from: power === 0 ? 0 : 2 ** (power - 1),
    to: 2 ** power - 1,
    count,
  }));
  return ranges.filter(isThere);
}

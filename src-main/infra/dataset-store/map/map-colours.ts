import type { EntityType } from '../../../contract/schemas/explore.ts';
import { ISSUES } from '../../../contract/schemas/issues.ts';
import { MAX_COLOURS, NO_COLOUR } from '../../../contract/schemas/map.ts';
import type { LegendEntry, MapQuery } from '../../../core/ports/map.ts';
import type { RowSet } from '../../vectors/row-set.ts';
import type { ClusterEdits } from '../clusters/cluster-edits.ts';
import type { ClusterIds } from '../clusters/cluster-ids.ts';
import { suggestName } from '../clusters/suggest-name.ts';
import type { TagRepository } from '../edits/tag.repository.ts';
import { tags as tagsCondition } from '../edits/tags.condition.ts';
import type { Facts } from '../explore/row-facts.ts';
import type { RowOrders } from '../explore/row-orders.ts';
import { issues } from '../issues/issues.condition.ts';
import { mediaType } from '../items/item-facts.condition.ts';
import type { IndexReader } from '../vectors/index-reader.ts';
import { entryOf, mutedColour, type PaintedRows, paintCodes, paintNumbers, paintSets } from './paint-values.ts';

/** Maximum number of labels considered for the name of a cluster. */
const MAX_NAMES = 10;
/** Maximum number of labels that get a colour, most of them a muted one. */
const MAX_LABELS = 100;
/** Number of equally large groups by sharpness, the least sharp first. */
const QUALITY_PARTS = 5;

type Painting = Pick<MapQuery, 'colour' | 'by' | 'level' | 'limits'>;

interface Parts {
  index: IndexReader;
  clusterIds: ClusterIds;
  clusterEdits: ClusterEdits;
  orders: RowOrders;
  tags: TagRepository;
}

/** Assigns colours to rows by a property, and creates the legend. */
export class MapColours {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** @param matching Rows that are counted. The most frequent values among them get a colour of the legend. */
  paint(matching: RowSet, facts: Facts, { colour, by, level, limits }: Painting): PaintedRows {
    const { count } = facts;
    const { items, imageOf } = facts.columns;
    const itemOf = facts.entity_type === 'OBJECTS' ? (row: number) => imageOf[row] ?? 0 : (row: number) => row;
    switch (colour) {
      case 'cluster':
        return this.#clusters(matching, facts, level);
      case 'quality':
        return this.#quality(matching, facts);
      case 'label':
        return labels(matching, facts, by);
      case 'tag':
        return paintSets(this.#tags(facts), matching, count);
      case 'folder':
        return paintCodes((row) => items.folderOf[itemOf(row)] ?? -1, items.folders, matching, count);
      case 'width':
        return paintNumbers((row) => items.widths[itemOf(row)] ?? Number.NaN, matching, count);
      case 'height':
        return paintNumbers((row) => items.heights[itemOf(row)] ?? Number.NaN, matching, count);
      case 'created':
        return paintNumbers((row) => items.created[itemOf(row)] ?? Number.NaN, matching, count, asTime);
      case 'uniqueness':
        return paintNumbers((row) => facts.uniqueness[row] ?? Number.NaN, matching, count);
      case 'field':
        return field(matching, facts, itemOf, by ?? '');
      case 'issue': {
        const found = ISSUES.map((value) => ({
          value,
          rows: issues.rows({ name: 'issues', op: 'issue', value, mode: 'in', limits }, facts),
        }));
        return paintSets(found, matching, count);
      }
      case 'media_type': {
        const types = (['image', 'video_frame'] as const).map((value) => ({
          value,
          rows: mediaType.rows({ name: 'media_type', op: 'one_of', value: [value] }, facts),
        }));
        return paintSets(types, matching, count);
      }
    }
  }

  #tags(facts: Facts) {
    return this.#parts.tags.list().map(({ tag_id, name }) => ({
      value: tag_id,
      name,
      rows: tagsCondition.rows({ name: 'tags', op: 'is', value: [tag_id] }, facts),
    }));
  }

  /** Colours the largest clusters, and the others in muted colours; single items have no colour. */
  #clusters(matching: RowSet, facts: Facts, requested: number | undefined): PaintedRows {
    const level = requested ?? this.#levelThatFits(facts.entity_type, matching);
    const colourOf = new Uint8Array(facts.count).fill(NO_COLOUR);
    const clusters = this.#parts.index.clusters(facts.entity_type, level);
    if (!clusters) return { colourOf, legend: [], isRange: false, level };
    const sizes = this.#sizes(facts.entity_type, level, matching);
    const ranked = largestFirst(sizes);
    const colours = new Uint8Array(clusters.nClusters).fill(NO_COLOUR);
    for (const [at, cluster] of ranked.entries()) colours[cluster] = at < MAX_COLOURS ? at : mutedColour(at);
    for (let row = 0; row < facts.count; row += 1) colourOf[row] = colours[clusters.clusterOf(row)] ?? NO_COLOUR;
    const named = this.#parts.clusterEdits.named(facts.entity_type, level, clusters);
    const legend = ranked.slice(0, MAX_COLOURS).map((cluster): LegendEntry => {
      const rows = clusters.rows(cluster);
      return entryOf({
        value: this.#parts.clusterIds.encode({
          entity_type: facts.entity_type,
          level,
          first_row: clusters.firstRow(cluster),
        }),
        name:
          named.get(cluster)?.name ??
          suggestName({
            size: rows.length,
            labels: facts.labels.mostFrequent(rows, MAX_NAMES),
            totalOf: (label) => facts.labels.totalOf(label, facts.count),
            nItems: facts.count,
            captions: [],
            guesses: () => [],
            nSampled: 0,
          }),
        count: sizes[cluster] as number,
      });
    });
    return { colourOf, legend, isRange: false, level };
  }

  /**
   * Returns the finest level whose largest clusters, as many as there are colours, have half of the items; if there is none, the level where
   * they have most.
   */
  #levelThatFits(entityType: EntityType, matching: RowSet): number {
    const nLevels = this.#parts.index.levelSizes(entityType).length;
    let best = { level: 0, nColoured: -1 };
    for (let level = 0; level < nLevels; level += 1) {
      const sizes = this.#sizes(entityType, level, matching);
      const shown = largestFirst(sizes).slice(0, MAX_COLOURS);
      const nColoured = shown.reduce((total, cluster) => total + (sizes[cluster] as number), 0);
      if (nColoured * 2 >= matching.count) return level;
      if (nColoured > best.nColoured) best = { level, nColoured };
    }
    return best.level;
  }

  #sizes(entityType: EntityType, level: number, matching: RowSet): Int32Array {
    const clusters = this.#parts.index.clusters(entityType, level);
    const sizes = new Int32Array(clusters?.nClusters ?? 0);
    matching.forEach((row) => {
      const cluster = clusters?.clusterOf(row) ?? -1;
      if (cluster >= 0) sizes[cluster] = (sizes[cluster] as number) + 1;
    });
    return sizes;
  }

  /** Colours groups of all rows by sharpness. */
  #quality(matching: RowSet, facts: Facts): PaintedRows {
    const colourOf = new Uint8Array(facts.count).fill(NO_COLOUR);
    const counts = new Int32Array(QUALITY_PARTS);
    const ordered = this.#parts.orders.all('quality', facts);
    for (let at = 0; at < ordered.length; at += 1) {
      const row = ordered[at] as number;
      const part = Math.floor((at * QUALITY_PARTS) / ordered.length);
      colourOf[row] = part;
      if (matching.has(row)) counts[part] = (counts[part] as number) + 1;
    }
    const legend = Array.from(counts, (count, part) => entryOf({ value: String(part + 1), count }));
    return { colourOf, legend, isRange: true, level: null };
  }
}

/** Clusters of at least two items. */
function largestFirst(sizes: Int32Array): number[] {
  return [...sizes.keys()]
    .filter((cluster) => (sizes[cluster] as number) > 1)
    .sort((a, b) => (sizes[b] as number) - (sizes[a] as number) || a - b);
}

/** Colours the most frequent labels, or only one. */
function labels(matching: RowSet, facts: Facts, only: string | undefined): PaintedRows {
  const names = only === undefined ? facts.labels.mostFrequent(matching, MAX_LABELS) : [{ name: only }];
  const found = names.map(({ name }) => ({ value: name, rows: facts.labels.with(name, facts.count) }));
  return paintSets(found, matching, facts.count);
}

/** @throws AppError `invalid_input` for an unknown field. */
function field(matching: RowSet, facts: Facts, itemOf: (row: number) => number, name: string): PaintedRows {
  const { count } = facts;
  const declared = facts.metadata.field(name);
  const column = facts.metadata.column(declared, facts.nItems);
  if (column === undefined) return paintCodes(() => -1, [], matching, count);
  if (column.kind === 'numbers') {
    const shown = declared.field_type === 'datetime' ? asTime : undefined;
    return paintNumbers((row) => column.values[itemOf(row)] ?? Number.NaN, matching, count, shown);
  }
  if (column.kind === 'texts') {
    return paintCodes((row) => column.codes[itemOf(row)] ?? -1, column.texts, matching, count);
  }
  const firstOf = (mask: number) => (mask === 0 ? -1 : 31 - Math.clz32(mask & -mask));
  return paintCodes((row) => firstOf(column.masks[itemOf(row)] ?? 0), declared.enum_options, matching, count);
}

function asTime(moment: number): string {
  return new Date(moment).toISOString();
}

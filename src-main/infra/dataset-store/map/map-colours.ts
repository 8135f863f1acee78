import { ISSUES } from '../../../contract/schemas/issues.ts';
import { MAX_COLOURS, NO_COLOUR } from '../../../contract/schemas/map.ts';
import type { LegendEntry, MapQuery } from '../../../core/ports/map.ts';
import type { RowSet } from '../../vectors/row-set.ts';
import type { ClusterIds } from '../clusters/cluster-ids.ts';
import type { ClusterNames } from '../clusters/cluster-names.ts';
import { suggestName } from '../clusters/suggest-name.ts';
import type { Facts } from '../explore/row-facts.ts';
import type { RowOrders } from '../explore/row-orders.ts';
import { issues } from '../issues/issues.condition.ts';
import { mediaType } from '../items/item-facts.condition.ts';
import type { IndexReader } from '../vectors/index-reader.ts';

/** Maximum number of labels considered for the name of a cluster. */
const MAX_NAMES = 10;
/** Number of equally large groups by sharpness, the least sharp first. */
const QUALITY_PARTS = 5;

export interface PaintedRows {
  /** Position in the legend, by row; NO_COLOUR for none. */
  colourOf: Uint8Array;
  legend: LegendEntry[];
}

type Wanted = Pick<MapQuery, 'colour' | 'level' | 'limits'>;

interface Parts {
  index: IndexReader;
  clusterIds: ClusterIds;
  clusterNames: ClusterNames;
  orders: RowOrders;
}

/** Assigns colours to rows by a property, and creates the legend. */
export class MapColours {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** @param matching Rows that are counted. The most frequent values among them get a colour. */
  paint(matching: RowSet, facts: Facts, { colour, level, limits }: Wanted): PaintedRows {
    if (colour === 'cluster') return this.#clusters(matching, facts, level);
    if (colour === 'quality') return this.#quality(matching, facts);
    if (colour === 'label') return labels(matching, facts);
    if (colour === 'issue') {
      const found = ISSUES.map((value) => ({
        value,
        rows: issues.rows({ name: 'issues', op: 'issue', value, mode: 'in', limits }, facts),
      }));
      return paintSets(found, matching, facts.count);
    }
    const types = (['image', 'video_frame'] as const).map((value) => ({
      value,
      rows: mediaType.rows({ name: 'media_type', op: 'one_of', value: [value] }, facts),
    }));
    return paintSets(types, matching, facts.count);
  }

  /** Colours the largest clusters; single items have no colour. */
  #clusters(matching: RowSet, facts: Facts, level: number): PaintedRows {
    const colourOf = new Uint8Array(facts.count).fill(NO_COLOUR);
    const clusters = this.#parts.index.clusters(facts.entity_type, level);
    if (!clusters) return { colourOf, legend: [] };
    const sizes = new Int32Array(clusters.nClusters);
    matching.forEach((row) => {
      const cluster = clusters.clusterOf(row);
      if (cluster >= 0) sizes[cluster] = (sizes[cluster] as number) + 1;
    });
    const largest = Array.from(sizes.keys())
      .filter((cluster) => (sizes[cluster] as number) > 1)
      .sort((a, b) => (sizes[b] as number) - (sizes[a] as number) || a - b)
      .slice(0, MAX_COLOURS);
    const named = this.#parts.clusterNames.of(facts.entity_type, level, clusters);
    const legend = largest.map((cluster, at): LegendEntry => {
      const rows = clusters.rows(cluster);
      for (const row of rows) colourOf[row] = at;
      return {
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
            guesses: [],
            nSampled: 0,
          }),
        count: sizes[cluster] as number,
      };
    });
    return { colourOf, legend };
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
    return {
      colourOf,
      legend: Array.from(counts, (count, part) => ({ value: String(part + 1), name: null, count })),
    };
  }
}

/** Colours the most frequent labels. */
function labels(matching: RowSet, facts: Facts): PaintedRows {
  const found = facts.labels
    .mostFrequent(matching, MAX_COLOURS)
    .map(({ name }) => ({ value: name, rows: facts.labels.with(name, facts.count) }));
  return paintSets(found, matching, facts.count);
}

/**
 * Colours sets of rows. The legend lists the largest set first. A row in several sets has the colour of the smallest, which is the most
 * specific.
 */
function paintSets(sets: readonly { value: string; rows: RowSet }[], matching: RowSet, count: number): PaintedRows {
  const colourOf = new Uint8Array(count).fill(NO_COLOUR);
  const counted = sets
    .map(({ value, rows }) => ({ value, rows, count: rows.and(matching).count }))
    .filter((set) => set.count > 0)
    .sort((a, b) => b.count - a.count);
  for (const [at, { rows }] of counted.entries()) {
    rows.forEach((row) => {
      colourOf[row] = at;
    });
  }
  return { colourOf, legend: counted.map((set) => ({ value: set.value, name: null, count: set.count })) };
}

import type { NeighborBlock } from '../../../core/ports/vector-engine.ts';
import type { RowSet } from '../../vectors/row-set.ts';
import { confidenceAbove } from './confidence.ts';
import type { LabelTable } from './label-table.ts';
import { quartilesOf } from './quartiles.ts';

/** Minimum number of labelled neighbours from which a label is judged. */
const LEAST_VOTERS = 5;
/** Minimum share of the neighbourhood that another label must have. */
const LEAST_SHARE = 0.5;
/** Weights of the nearest, second and third neighbour with the same label; the same as for uniqueness. */
const WEIGHTS = [0.6, 0.3, 0.1] as const;
/** Minimum number of items with a label from which a usual distance between them is computed. */
const LEAST_MEMBERS = 20;
const DISTANCE_FLOOR = 0.05;
/** Number of rows sorted by label before other work can run. */
const CHUNK_ROWS = 65_536;
/** Values for rows that do not exist or have no label, and for rows that have several labels. */
const [NONE, SEVERAL] = [-1, -2];

export interface LabelIssues {
  mislabels: Float32Array;
  label_outlier: Float32Array;
  /** By row: number of the label that the neighbours of a mislabelled row have instead; -1 for other rows. */
  instead: Int32Array;
}

/**
 * Finds labels that the neighbours of their rows contradict, and rows that are unlike others with their label.
 * Mislabels: confident learning (Northcutt, Jiang, Chuang, "Confident learning: estimating uncertainty in dataset labels", JAIR 70, 2021)
 * with the labels of the nearest neighbours, weighted by similarity, as out-of-sample probabilities. The threshold of a label is its mean
 * share around the rows that have it. A row is mislabelled if another label is above its own threshold, has most of the neighbourhood, and
 * has a greater share than a label of the row. The confidence is the normalised margin between the two shares. Labels confirmed by a user
 * are never reported.
 * Label outliers: the distance to the three nearest neighbours with the same label, above Tukey's upper fence among the rows with that
 * label.
 * Yields after every chunk of the work.
 * @param limit Interquartile ranges above the third quartile.
 */
export async function* labelIssues(
  graph: AsyncIterable<NeighborBlock> | Iterable<NeighborBlock>,
  table: LabelTable,
  alive: RowSet,
  count: number,
  limit: number,
): AsyncGenerator<void, LabelIssues> {
  const votes = yield* countVotes(graph, table, alive, count);
  const mislabels = new Float32Array(count);
  const instead = new Int32Array(count).fill(-1);
  const thresholds = votes.shareSums.map((sum, label) => sum / Math.max(1, votes.members[label] as number));
  for (let row = 0; row < count; row += 1) {
    const other = votes.others[row] as number;
    const otherShare = votes.otherShares[row] as number;
    if (other < 0 || otherShare < LEAST_SHARE || otherShare < (thresholds[other] as number)) continue;
    let least = 1;
    for (let at = table.offsets[row] as number; at < (table.offsets[row + 1] as number); at += 1) {
      if (table.confirmed[at] !== 1) least = Math.min(least, votes.ownShares[at] as number);
    }
    if (least >= otherShare) continue;
    mislabels[row] = (1 + otherShare - least) / 2;
    instead[row] = other;
  }
  yield;
  return { mislabels, label_outlier: yield* outliersOfLabels(votes.distances, table, count, limit), instead };
}

interface Votes {
  /** Parallel to the labels of the table: the share of the neighbourhood that has the label too. */
  ownShares: Float32Array;
  /** By row: the most frequent label in the neighbourhood that the row does not have; -1 for none. */
  others: Int32Array;
  otherShares: Float32Array;
  /** By label: the sum of its shares around rows that have it, and the number of these rows. */
  shareSums: Float64Array;
  members: Int32Array;
  /** By row: the distance of a labelled row from its nearest neighbours with the same label; NaN for other rows. */
  distances: Float32Array;
}

async function* countVotes(
  graph: AsyncIterable<NeighborBlock> | Iterable<NeighborBlock>,
  table: LabelTable,
  alive: RowSet,
  count: number,
): AsyncGenerator<void, Votes> {
  const { names, offsets, labels } = table;
  const votes: Votes = {
    ownShares: new Float32Array(labels.length),
    others: new Int32Array(count).fill(-1),
    otherShares: new Float32Array(count),
    shareSums: new Float64Array(names.length),
    members: new Int32Array(names.length),
    distances: new Float32Array(count).fill(Number.NaN),
  };
  const onlyLabels = new Int32Array(count).fill(NONE);
  alive.forEach((row) => {
    const nLabels = (offsets[row + 1] as number) - (offsets[row] as number);
    if (nLabels > 0) onlyLabels[row] = nLabels === 1 ? (labels[offsets[row] as number] as number) : SEVERAL;
  });
  yield;
  const weights = new Float64Array(names.length);
  const isOwn = new Uint8Array(names.length);
  for await (const { first, rows, similarities, k } of graph) {
    for (let row = first; row < Math.min(count, first + rows.length / k); row += 1) {
      const [begin, end] = [offsets[row] as number, offsets[row + 1] as number];
      if (begin === end || !alive.has(row)) continue;
      for (let at = begin; at < end; at += 1) isOwn[labels[at] as number] = 1;
      const seen: number[] = [];
      let [voters, total, nSame, distance] = [0, 0, 0, 0];
      for (let at = (row - first) * k; at < (row - first + 1) * k; at += 1) {
        const neighbor = rows[at] as number;
        if (neighbor < 0) break;
        // For most neighbours, this is the only access to a distant place in memory.
        const only = onlyLabels[neighbor] ?? NONE;
        if (only === NONE) continue;
        const weight = Math.max(0, similarities[at] as number);
        voters += 1;
        total += weight;
        let isSame = false;
        const [from, to] = only === SEVERAL ? [offsets[neighbor] as number, offsets[neighbor + 1] as number] : [0, 1];
        for (let of = from; of < to; of += 1) {
          const label = only === SEVERAL ? (labels[of] as number) : only;
          if (weights[label] === 0) seen.push(label);
          weights[label] = (weights[label] as number) + weight;
          isSame ||= isOwn[label] === 1;
        }
        if (isSame && nSame < WEIGHTS.length) {
          distance += (WEIGHTS[nSame] as number) * (1 - weight);
          nSame += 1;
        }
      }
      for (let rest = nSame; rest < WEIGHTS.length; rest += 1) distance += WEIGHTS[rest] as number;
      votes.distances[row] = distance;
      if (voters >= LEAST_VOTERS && total > 0) {
        for (let at = begin; at < end; at += 1) {
          const label = labels[at] as number;
          const share = (weights[label] as number) / total;
          votes.ownShares[at] = share;
          votes.shareSums[label] = (votes.shareSums[label] as number) + share;
          votes.members[label] = (votes.members[label] as number) + 1;
        }
        for (const label of seen) {
          const share = (weights[label] as number) / total;
          if (isOwn[label] === 1 || share <= (votes.otherShares[row] as number)) continue;
          votes.others[row] = label;
          votes.otherShares[row] = share;
        }
      }
      for (const label of seen) weights[label] = 0;
      for (let at = begin; at < end; at += 1) isOwn[labels[at] as number] = 0;
    }
    yield;
  }
  return votes;
}

/** Finds label outliers. A row with several labels counts with the first of them. */
function* outliersOfLabels(
  distances: Float32Array,
  { names, offsets, labels }: LabelTable,
  count: number,
  limit: number,
): Generator<void, Float32Array> {
  const confidences = new Float32Array(count);
  const labelOf = (row: number) => (Number.isNaN(distances[row]) ? -1 : (labels[offsets[row] as number] as number));
  const ends = new Int32Array(names.length + 1);
  for (let row = 0; row < count; row += 1) {
    const label = labelOf(row);
    if (label >= 0) ends[label + 1] = (ends[label + 1] as number) + 1;
  }
  for (let label = 0; label < names.length; label += 1)
    ends[label + 1] = (ends[label + 1] as number) + (ends[label] as number);
  const next = ends.slice();
  const rowsByLabel = new Int32Array(ends[names.length] as number);
  for (let row = 0; row < count; row += 1) {
    const label = labelOf(row);
    if (label < 0) continue;
    rowsByLabel[next[label] as number] = row;
    next[label] = (next[label] as number) + 1;
  }
  let nSince = 0;
  for (let label = 0; label < names.length; label += 1) {
    const members = rowsByLabel.subarray(ends[label], ends[label + 1]);
    nSince += members.length;
    if (nSince > CHUNK_ROWS) {
      nSince = 0;
      yield;
    }
    const usual = quartilesOf(
      Float32Array.from(members, (row) => distances[row] as number),
      LEAST_MEMBERS,
      DISTANCE_FLOOR,
    );
    if (!usual) continue;
    for (const row of members) {
      confidences[row] = confidenceAbove(((distances[row] as number) - usual.third) / usual.range, limit);
    }
  }
  return confidences;
}

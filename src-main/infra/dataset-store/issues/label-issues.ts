import type { NeighborBlock } from '../../../core/ports/vector-engine.ts';
import type { RowSet } from '../../vectors/row-set.ts';
import { confidenceAbove } from './confidence.ts';
import type { LabelTable } from './label-table.ts';
import { quartilesOf } from './quartiles.ts';

/** Fewer labelled neighbours say nothing. */
const LEAST_VOTERS = 5;
/** Another label must have so much of the neighbourhood. */
const LEAST_SHARE = 0.5;
/** Weights of the nearest, second and third neighbour of the same label, as those of uniqueness. */
const WEIGHTS = [0.6, 0.3, 0.1] as const;
/** Fewer items of a label have no usual distance from one another. */
const LEAST_MEMBERS = 20;
const DISTANCE_FLOOR = 0.05;
/** Rows that are sorted by label before others may go on. */
const ROWS_OF_A_PIECE = 65_536;
/** Of rows that are not there or have no label, and of those that have several. */
const [NONE, SEVERAL] = [-1, -2];

export interface LabelIssues {
  mislabels: Float32Array;
  label_outlier: Float32Array;
  /** Number of the label that the neighbours of a mislabelled row have instead; -1 of others. */
  instead: Int32Array;
}

/**
 * Labels that the neighbours of their rows speak against, and rows that are unlike others of their label.
 *
 * Mislabels: confident learning (Northcutt, Jiang, Chuang, "Confident learning: estimating uncertainty in dataset labels", JAIR 70, 2021) with
 * the labels of the nearest neighbours, weighted by similarity, as out-of-sample probabilities. A label's threshold is the mean share that it
 * has around the rows which have it. A row is mislabelled where another label is above its own threshold, has most of the neighbourhood, and
 * more than a label of the row; the confidence is the normalised margin between the two. What a person confirmed is not doubted.
 *
 * Label outliers: the distance to the three nearest neighbours of the same label, above Tukey's upper fence among the rows of that label.
 *
 * Yields after every piece of the work.
 * @param limit Interquartile ranges above the third quartile.
 */
export function* labelIssues(
  graph: Iterable<NeighborBlock>,
  table: LabelTable,
  alive: RowSet,
  count: number,
  limit: number,
): Generator<void, LabelIssues> {
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
  /** Beside the labels of the table: the share of the neighbourhood that has the label too. */
  ownShares: Float32Array;
  /** Of each row, the label most frequent around it that it has not; -1 for none. */
  others: Int32Array;
  otherShares: Float32Array;
  /** Of each label, the sum of its shares around rows that have it, and how many they are. */
  shareSums: Float64Array;
  members: Int32Array;
  /** Of each labelled row from its nearest neighbours of the same label; NaN of others. */
  distances: Float32Array;
}

function* countVotes(
  graph: Iterable<NeighborBlock>,
  table: LabelTable,
  alive: RowSet,
  count: number,
): Generator<void, Votes> {
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
  for (const { first, rows, similarities, k } of graph) {
    for (let row = first; row < Math.min(count, first + rows.length / k); row += 1) {
      const [begin, end] = [offsets[row] as number, offsets[row + 1] as number];
      if (begin === end || !alive.has(row)) continue;
      for (let at = begin; at < end; at += 1) isOwn[labels[at] as number] = 1;
      const seen: number[] = [];
      let [voters, total, nSame, distance] = [0, 0, 0, 0];
      for (let at = (row - first) * k; at < (row - first + 1) * k; at += 1) {
        const neighbor = rows[at] as number;
        if (neighbor < 0) break;
        // One look at a place in memory far from the last one, for most neighbours.
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

/** A row of several labels counts with the first of them. */
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
    if (nSince > ROWS_OF_A_PIECE) {
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

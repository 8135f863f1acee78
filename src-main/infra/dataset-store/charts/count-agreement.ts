import { type Agreement, type Compared, CURVE_STEPS, MAX_CLASSES } from '../../../contract/schemas/charts.ts';
import type { RowSet } from '../../vectors/row-set.ts';
import type { Facts } from '../explore/row-facts.ts';
import type { Pairs } from './pairs.ts';

const CONFIDENCE_PARTS = 20;
/** Thresholds are not exact in binary. */
const ROUNDING = 1e-6;

/** Compares the annotations and predictions of rows: [Note: Agreement]. */
export function countAgreement(
  rows: RowSet,
  facts: Facts,
  requested: { compared: Compared | undefined; confidence_min: number },
): Agreement {
  const { compared, pairs } = pairsFor(facts, requested.compared);
  const chosen = [...pairNumbers(pairs, rows, facts.entity_type)];
  const { names, annotated, predicted, confidences } = pairs;
  const nAnnotated = new Int32Array(names.length);
  const nPredicted = new Int32Array(names.length);
  const parts = new Int32Array(CONFIDENCE_PARTS);
  const confusions = new Map<string, { annotated: number; predicted: number; count: number }>();
  for (const pair of chosen) {
    const [truth, guess, confidence] = [
      annotated[pair] as number,
      predicted[pair] as number,
      confidences[pair] as number,
    ];
    if (truth >= 0) nAnnotated[truth] = (nAnnotated[truth] as number) + 1;
    if (guess >= 0) {
      nPredicted[guess] = (nPredicted[guess] as number) + 1;
      const part = Math.min(CONFIDENCE_PARTS - 1, Math.floor(confidence * CONFIDENCE_PARTS + ROUNDING));
      parts[part] = (parts[part] as number) + 1;
    }
    const shownGuess = guess >= 0 && confidence >= requested.confidence_min - ROUNDING ? guess : -1;
    if (truth < 0 && shownGuess < 0) continue;
    const key = `${truth} ${shownGuess}`;
    const known = confusions.get(key);
    if (known) known.count += 1;
    else confusions.set(key, { annotated: truth, predicted: shownGuess, count: 1 });
  }
  const sum = (counts: Int32Array) => counts.reduce((total, count) => total + count, 0);
  const classes = names
    .map((name, number) => ({ name, number, size: (nAnnotated[number] as number) + (nPredicted[number] as number) }))
    .filter(({ size }) => size > 0)
    .sort((a, b) => b.size - a.size || (a.name < b.name ? -1 : 1))
    .slice(0, MAX_CLASSES);
  const nameOf = (number: number) => (number < 0 ? null : (names[number] ?? ''));
  const isShown = new Set([-1, ...classes.map(({ number }) => number)]);
  const curveOf = (of: number | undefined, nTruths: number) => curve(pairs, chosen, of, nTruths);
  return {
    compared,
    confidence_min: requested.confidence_min,
    n_annotated: sum(nAnnotated),
    n_predicted: sum(nPredicted),
    classes: classes.map(({ name }) => name),
    pairs: [...confusions.values()]
      .filter((pair) => isShown.has(pair.annotated) && isShown.has(pair.predicted))
      .sort((a, b) => b.count - a.count)
      .map((pair) => ({ annotated: nameOf(pair.annotated), predicted: nameOf(pair.predicted), count: pair.count })),
    overall: curveOf(undefined, sum(nAnnotated)),
    curves: classes.map(({ name, number }) => {
      const nTruths = nAnnotated[number] as number;
      return { name, n_annotated: nTruths, curve: curveOf(number, nTruths) };
    }),
    confidences: Array.from(parts, (count, part) => ({
      from: part / CONFIDENCE_PARTS,
      to: (part + 1) / CONFIDENCE_PARTS,
      count,
    })),
  };
}

/** Returns the requested pairs, or those of objects if any are both annotated and predicted, else those of labels. */
export function pairsFor(facts: Facts, requested: Compared | undefined): { compared: Compared; pairs: Pairs } {
  const counts = { items: facts.nItems, objects: facts.nObjects };
  if (requested !== undefined) return { compared: requested, pairs: facts.pairs.of(requested, counts) };
  const objects = facts.pairs.of('objects', counts);
  const hasBoth = objects.annotated.some((label) => label >= 0) && objects.predicted.some((label) => label >= 0);
  if (hasBoth) return { compared: 'objects', pairs: objects };
  return { compared: 'labels', pairs: facts.pairs.of('labels', counts) };
}

/** Yields the pairs on items in `rows`, or with an object in `rows`. */
function* pairNumbers(pairs: Pairs, rows: RowSet, entityType: Facts['entity_type']): Generator<number> {
  const { images, annotatedRows, predictedRows } = pairs;
  const isIn = (row: number) => row >= 0 && row < rows.size && rows.has(row);
  for (let pair = 0; pair < pairs.n; pair += 1) {
    const holds =
      entityType === 'IMAGES'
        ? isIn(images[pair] as number)
        : isIn(annotatedRows[pair] as number) || isIn(predictedRows[pair] as number);
    if (holds) yield pair;
  }
}

/** Precision and recall of one class, or of all, for each minimum confidence. */
function curve(pairs: Pairs, chosen: readonly number[], of: number | undefined, nTruths: number) {
  const found = new Int32Array(CURVE_STEPS);
  const right = new Int32Array(CURVE_STEPS);
  for (const pair of chosen) {
    const guess = pairs.predicted[pair] as number;
    if (guess < 0 || (of !== undefined && guess !== of)) continue;
    const isRight = pairs.annotated[pair] === guess;
    // Steps from 1 / (CURVE_STEPS + 1) up to the confidence.
    const steps = Math.floor((pairs.confidences[pair] as number) * (CURVE_STEPS + 1) + ROUNDING);
    for (let step = 0; step < Math.min(steps, CURVE_STEPS); step += 1) {
      found[step] = (found[step] as number) + 1;
      if (isRight) right[step] = (right[step] as number) + 1;
    }
  }
  return Array.from(found, (n, step) => ({
    confidence: (step + 1) / (CURVE_STEPS + 1),
    precision: n === 0 ? null : (right[step] as number) / n,
    recall: nTruths === 0 ? null : (right[step] as number) / nTruths,
  }));
}

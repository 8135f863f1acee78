import type { EntityType } from '../../../contract/schemas/explore.ts';
import type { LabelVerdict } from '../edits/edited-rows.ts';
import { type LabelsOfRows, SHOWN_CONFIDENCES } from '../labels/labels-of-rows.ts';

/** The labels of all rows in one array: the labels of row r are `labels[offsets[r]] … labels[offsets[r + 1] - 1]`. */
export interface LabelTable {
  names: readonly string[];
  offsets: Int32Array;
  labels: Int32Array;
  /** Parallel to `labels`: 1 if a user confirmed the label. */
  confirmed: Uint8Array;
}

/**
 * Returns the rows' own labels, without the labels of their objects, with users' corrections. Labels that a model gave to whole images are
 * left out: they are guesses from the same content.
 */
export function ownLabels(
  entityType: EntityType,
  stored: LabelsOfRows,
  verdicts: ReadonlyMap<string, LabelVerdict>,
  count: number,
): LabelTable {
  const names = [...new Set([...stored.names, ...verdicts.keys()])];
  const numbers = new Map(names.map((name, number) => [name, number]));
  const verdictOf = names.map((name) => verdicts.get(name));
  const each = (use: (row: number, label: number, isConfirmed: boolean) => void) => {
    const useStored = (row: number, label: number) => {
      const verdict = verdictOf[label];
      if (row < count && !verdict?.has.has(row) && !verdict?.hasNot.has(row)) use(row, label, false);
    };
    if (entityType === 'IMAGES') stored.forEachAnnotated(useStored);
    else stored.forEachOwn(SHOWN_CONFIDENCES.IMAGES.of_object, useStored);
    for (const [name, { has }] of verdicts) {
      const label = numbers.get(name) ?? 0;
      has.forEach((row) => {
        if (row < count) use(row, label, true);
      });
    }
  };
  const offsets = new Int32Array(count + 1);
  each((row) => {
    offsets[row + 1] = (offsets[row + 1] as number) + 1;
  });
  for (let row = 0; row < count; row += 1) offsets[row + 1] = (offsets[row + 1] as number) + (offsets[row] as number);
  const next = offsets.slice(0, count);
  const labels = new Int32Array(offsets[count] as number);
  const confirmed = new Uint8Array(labels.length);
  each((row, label, isConfirmed) => {
    const at = next[row] as number;
    labels[at] = label;
    confirmed[at] = Number(isConfirmed);
    next[row] = at + 1;
  });
  return { names, offsets, labels, confirmed };
}

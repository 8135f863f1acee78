import type { ItemDetails, ObjectItem } from '../../../core/ports/items.ts';

/** Source of labels that a user assigned. */
const PERSON = 'User';

interface Verdicts {
  has: readonly string[];
  hasNot: readonly string[];
}

/** Applies a user's corrections to labels. They override labels from annotations and models, and are listed first. */
export function labelsWithVerdicts<Label extends { label: string }>(
  others: readonly Label[],
  { has, hasNot }: Verdicts,
): (Label | ItemDetails['label_details'][number])[] {
  const judged = new Set([...has, ...hasNot]);
  const own = has.toSorted().map((label) => ({ label, source: PERSON, confidence: null }));
  return [...own, ...others.filter(({ label }) => !judged.has(label))];
}

/** Returns an object with the label that a user gave it, or without the label that a user removed. */
export function objectWithVerdicts(object: ObjectItem, { has, hasNot }: Verdicts): ObjectItem {
  const [label] = has;
  if (label !== undefined) return { ...object, label, source: PERSON, class_id: null, confidence: null };
  return hasNot.includes(object.label) ? { ...object, label: '', source: PERSON, class_id: null } : object;
}

import type { ItemDetails, ObjectItem } from '../../../core/ports/items.ts';

/** The source of what a person says. */
const PERSON = 'User';

interface Verdicts {
  has: readonly string[];
  hasNot: readonly string[];
}

/** A person's word on labels prevails over those of annotations and models, and stands before them. */
export function labelsAsSaid<Label extends { label: string }>(
  others: readonly Label[],
  { has, hasNot }: Verdicts,
): (Label | ItemDetails['label_details'][number])[] {
  const said = new Set([...has, ...hasNot]);
  const own = has.toSorted().map((label) => ({ label, source: PERSON, confidence: null }));
  return [...own, ...others.filter(({ label }) => !said.has(label))];
}

/** An object with the label that a person gave it, or without the one that they took off. */
export function objectAsSaid(object: ObjectItem, { has, hasNot }: Verdicts): ObjectItem {
  const [label] = has;
  if (label !== undefined) return { ...object, label, source: PERSON, class_id: null, confidence: null };
  return hasNot.includes(object.label) ? { ...object, label: '', source: PERSON, class_id: null } : object;
}

/** The classes of a dataset, in a stable order. */
export interface Classes {
  /** Finds a class by name: its index, from 0 without gaps, and its id in COCO files. */
  find(label: string): { index: number; id: number } | undefined;
  list: readonly { label: string; index: number; id: number }[];
}

/**
 * Numbers labels. If the source numbers its classes, with one distinct number per class, these numbers and their order are used; labels
 * without a number follow, ordered by name. Otherwise all labels are numbered by name, from 1 in COCO.
 */
export function classesOf(found: readonly { label: string; class_id: number | null }[]): Classes {
  const numbers = new Map<string, number | null>();
  const taken = new Map<number, string>();
  let isClear = true;
  for (const { label, class_id } of found) {
    const known = numbers.get(label) ?? null;
    if (class_id !== null) {
      isClear &&= (known === null || known === class_id) && (taken.get(class_id) ?? label) === label && class_id >= 0;
      taken.set(class_id, label);
    }
    numbers.set(label, known ?? class_id);
  }
  const names = [...numbers.keys()].sort();
  const kept = isClear ? names.filter((name) => numbers.get(name) !== null) : [];
  kept.sort((a, b) => (numbers.get(a) ?? 0) - (numbers.get(b) ?? 0));
  const isKept = new Set(kept);
  const last = kept.length === 0 ? 0 : (numbers.get(kept.at(-1) ?? '') ?? 0);
  const list = [...kept, ...names.filter((name) => !isKept.has(name))].map((label, index) => ({
    label,
    index,
    id: isKept.has(label) ? (numbers.get(label) ?? 0) : last + 1 + index - kept.length,
  }));
  const byLabel = new Map(list.map((one) => [one.label, one]));
  return { find: (label) => byLabel.get(label), list };
}

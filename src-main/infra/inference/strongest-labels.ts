import type { FoundLabel } from '../../core/ports/inference.ts';

/** Labels above the minimum confidence, highest first. A label that the list contains twice is returned once. */
export function strongestLabels(
  labels: readonly string[],
  confidences: ArrayLike<number>,
  { max_labels, min_confidence }: { max_labels: number; min_confidence: number },
): FoundLabel[] {
  const candidates: FoundLabel[] = [];
  for (const [classId, label] of labels.entries()) {
    const confidence = Math.min(1, confidences[classId] ?? 0);
    if (confidence >= min_confidence && label !== '') candidates.push({ label, class_id: classId, confidence });
  }
  candidates.sort((a, b) => b.confidence - a.confidence);
  const names = new Set<string>();
  return candidates.filter(({ label }) => !names.has(label) && names.add(label)).slice(0, max_labels);
}

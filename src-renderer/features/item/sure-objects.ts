import type { Image } from '../../../src-main/contract/schemas/image.ts';

/** Those that are sure enough or not a model's, and the one that one came to see. */
export function sureObjects(
  objects: Image['objects'],
  leastConfidence: number,
  cameFor: string | undefined,
): Image['objects'] {
  return objects.filter(
    ({ object_id, confidence }) => confidence === null || confidence >= leastConfidence || object_id === cameFor,
  );
}

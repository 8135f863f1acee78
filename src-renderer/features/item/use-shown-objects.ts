import { useMemo } from 'react';
import type { Image } from '../../../src-main/contract/schemas/image.ts';
import { usePreferences } from '../../lib/preferences.ts';
import { type ComparedBoxes, compareBoxes, isAnnotated } from './compare-boxes.ts';

export interface ShownObjects {
  objects: Image['objects'];
  /** Set where there are predicted objects beside annotated ones. */
  compared: ComparedBoxes | undefined;
}

/** The objects of an image that are sure enough and of the kind that is looked at, and the one that one came to see. */
export function useShownObjects(image: Image | undefined, cameFor: string | undefined): ShownObjects {
  const { leastConfidence, boxesOf } = usePreferences();
  return useMemo(() => {
    type ImageObject = Image['objects'][number];
    const objects = image?.objects ?? [];
    const isSure = ({ confidence, object_id }: ImageObject) =>
      confidence === null || confidence >= leastConfidence || object_id === cameFor;
    const compared = compareBoxes(objects, isSure);
    const isOfKind = (object: ImageObject) =>
      boxesOf === 'both' || (boxesOf === 'annotated') === isAnnotated(object) || object.object_id === cameFor;
    return { objects: objects.filter((one) => isSure(one) && (compared === undefined || isOfKind(one))), compared };
  }, [image, cameFor, leastConfidence, boxesOf]);
}

import { useMemo } from 'react';
import type { Image } from '../../../src-main/contract/schemas/image.ts';
import { usePreferences } from '../../lib/preferences.ts';
import { type ComparedBoxes, compareBoxes, isAnnotated } from './compare-boxes.ts';

export interface ShownObjects {
  objects: Image['objects'];
  /** Set when there are both predicted and annotated objects. */
  compared: ComparedBoxes | undefined;
}

/** The objects of an image with enough confidence and of the selected kind, plus the one in the address. */
export function useShownObjects(image: Image | undefined, cameFor: string | undefined): ShownObjects {
  const { minConfidence, boxesOf } = usePreferences();
  return useMemo(() => {
    type ImageObject = Image['objects'][number];
    const objects = image?.objects ?? [];
    const counts = ({ confidence, object_id }: ImageObject) =>
      confidence === null || confidence >= minConfidence || object_id === cameFor;
    const compared = compareBoxes(objects, counts);
    const isOfKind = (object: ImageObject) =>
      boxesOf === 'both' || (boxesOf === 'annotated') === isAnnotated(object) || object.object_id === cameFor;
    return { objects: objects.filter((one) => counts(one) && (compared === undefined || isOfKind(one))), compared };
  }, [image, cameFor, minConfidence, boxesOf]);
}

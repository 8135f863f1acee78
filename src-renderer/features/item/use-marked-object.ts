import { useState } from 'react';
import { routeOfSimilarObjects } from '../../lib/item-routes.ts';
import type { Place } from '../../lib/routes.ts';

export interface MarkedObject {
  /** The highlighted object: the hovered one, else the one in the address. */
  marked: string | undefined;
  pointed: string | undefined;
  /** Handlers that highlight the object while an element is hovered or focused. */
  pointing(objectId: string): {
    onMouseEnter(): void;
    onMouseLeave(): void;
    onFocus(): void;
    onBlur(): void;
  };
  /** Address of the search for similar objects. */
  similar(objectId: string): string;
}

/** Which object of an image is highlighted, on the image and in the list beside it. */
export function useMarkedObject(datasetId: string, imageId: string, place: Place): MarkedObject {
  const [pointed, setPointed] = useState<string>();
  return {
    marked: pointed ?? place.object,
    pointed,
    pointing: (objectId) => {
      const point = () => setPointed(objectId);
      const leave = () => setPointed((old) => (old === objectId ? undefined : old));
      return { onMouseEnter: point, onMouseLeave: leave, onFocus: point, onBlur: leave };
    },
    similar: (objectId) => routeOfSimilarObjects(datasetId, imageId, objectId, place),
  };
}

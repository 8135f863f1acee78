import { useState } from 'react';
import { routeOfSimilarObjects } from '../../lib/item-routes.ts';
import type { Place } from '../../lib/routes.ts';

export interface MarkedObject {
  /** The object that stands out: the one pointed at, else the one that one came to see. */
  marked: string | undefined;
  pointed: string | undefined;
  /** Handlers that make an element point at the object. */
  pointing(objectId: string): {
    onMouseEnter(): void;
    onMouseLeave(): void;
    onFocus(): void;
    onBlur(): void;
  };
  /** Address of the search for what is like the object. */
  similar(objectId: string): string;
}

/** Which object of an image stands out, on the image and in the list beside it alike. */
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

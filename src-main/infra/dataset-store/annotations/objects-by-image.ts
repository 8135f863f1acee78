import type { ObjectsToEnrich } from '../../../core/ports/enrichment.ts';
import { resolveLocation } from '../disk/locations.ts';
import type { ObjectRow } from '../enrichment/model-result.repository.ts';

/** Groups consecutive objects of the same image; keyed by row. */
export function objectsByImage(
  objects: readonly ObjectRow[],
  dataFolder: string,
): { images: ObjectsToEnrich[]; last_row: number | null } {
  const images: ObjectsToEnrich[] = [];
  let ofMedia: string | undefined;
  for (const object of objects) {
    const { row, x, y, width, height } = object;
    if (object.media_id !== ofMedia) {
      const path = resolveLocation(dataFolder, object, object.location);
      images.push({ path, width: object.image_width, height: object.image_height, crops: [] });
    }
    ofMedia = object.media_id;
    images.at(-1)?.crops.push({ key: row, box: { x, y, width, height } });
  }
  return { images, last_row: objects.at(-1)?.row ?? null };
}

import { create } from 'zustand';
import type { EntityType, ExploredType } from '../../src-main/contract/schemas/explore.ts';
import type { QueryImageAnchor } from '../../src-main/contract/schemas/query-image.ts';
import { api } from './api.ts';
import { type ApiError, asApiError } from './api-error.ts';
import { routeOfQueryImage } from './item-routes.ts';
import { navigate } from './location.ts';
import type { Place } from './routes.ts';

/** A part of an image, in fractions of its sides. */
export interface ImagePart {
  x: number;
  y: number;
  width: number;
  height: number;
}

interface VisualSearch {
  /** The dataset whose query image is being read. */
  reading: string | null;
  failure: { datasetId: string; error: ApiError } | null;
  /** Searches with an image file or a part of it. */
  byFile(datasetId: string, file: File, place: Place, part?: ImagePart): Promise<void>;
  /** Query image files by anchor, retained while the page is open. */
  files: ReadonlyMap<string, File>;
  /** Searches with a part of an item. */
  byPart(datasetId: string, imageId: string, part: ImagePart, place: Place): Promise<void>;
  dismiss(): void;
}

/** Searches by image. A later search replaces an earlier one. */
export const useVisualSearch = create<VisualSearch>((set) => {
  let latest = 0;
  const go = async (datasetId: string, place: Place, take: () => Promise<QueryImageAnchor>) => {
    latest += 1;
    const own = latest;
    set({ reading: datasetId, failure: null });
    try {
      const { anchor_media_id } = await take();
      if (own !== latest) return;
      set({ reading: null });
      navigate(routeOfQueryImage(datasetId, anchor_media_id, place));
    } catch (failure) {
      if (own === latest) set({ reading: null, failure: { datasetId, error: asApiError(failure) } });
    }
  };
  return {
    reading: null,
    failure: null,
    files: new Map(),
    byFile: (datasetId, file, place, part) =>
      go(datasetId, place, async () => {
        const anchor = await api.search_image_similarity({
          dataset_id: datasetId,
          entity_type: entityOf(place.type),
          file: { file, file_name: file.name },
          bounding_box: part && JSON.stringify(part),
        });
        set(({ files }) => ({ files: new Map([...files, [anchor.anchor_media_id, file]]) }));
        return anchor;
      }),
    byPart: (datasetId, imageId, part, place) =>
      go(datasetId, place, () =>
        api.search_region({
          dataset_id: datasetId,
          media_id: imageId,
          entity_type: entityOf(place.type),
          bounding_box: JSON.stringify(part),
        }),
      ),
    dismiss: () => set({ failure: null }),
  };
});

/** The image, if a list of files contains exactly one image and nothing else. */
export function onlyImageOf(files: FileList | undefined): File | undefined {
  const [file, ...others] = files ?? [];
  return others.length === 0 && file?.type.startsWith('image/') ? file : undefined;
}

function entityOf(type: ExploredType): EntityType {
  return type === 'OBJECTS' ? 'OBJECTS' : 'IMAGES';
}

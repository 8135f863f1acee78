import { COVER_SHEET } from '../../src-main/contract/schemas/explore.ts';

/** Where the cover of a cluster or an item is. */
export interface CoverPlace {
  /** Address of the image with this and other covers. */
  sheet: string;
  /** Position in the image, and the number of covers in it. */
  nth: number;
  count: number;
}

/** Something listed that may have a cover. */
export type Covered<T> = T & { cover?: CoverPlace | undefined };

/** @param sheets The images with the covers of what is listed, in its order. */
export function withCovers<T>(listed: readonly T[], sheets: readonly string[]): Covered<T>[] {
  return listed.map((one, index) => {
    const first = index - (index % COVER_SHEET.covers);
    const sheet = sheets[first / COVER_SHEET.covers];
    const count = Math.min(COVER_SHEET.covers, listed.length - first);
    return { ...one, cover: sheet === undefined ? undefined : { sheet, nth: index - first, count } };
  });
}

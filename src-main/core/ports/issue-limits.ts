/**
 * [Note: Issues]
 * The confidence that an item has an issue is 0 … 1. It is 0.5 when the measured value equals the limit. Limits are settings. Blur, dark,
 * bright, low information and odd aspect ratio are measured on the item alone; odd size, outliers and mislabels relative to all other
 * items. Objects inherit the issues of their images, except outliers and mislabels, which are measured per object.
 */
export interface IssueLimits {
  /** Factor of the lowest usual sharpness of edges; items below are blurred: [Note: Blur]. */
  blur: number;
  /** 95th percentile of the luma, 0 … 1; items below are dark. */
  dark: number;
  /** Distance of the 5th percentile of the luma from white, 0 … 1; items below are bright, and overexposed ones: [Note: Overexposure]. */
  bright: number;
  /** Entropy of the luma in bits; items below have low information. */
  low_information: number;
  /** Ratio of the shorter side to the longer side; items below have an odd aspect ratio. */
  odd_aspect_ratio: number;
  /** Number of interquartile ranges beyond the quartiles; items with sizes outside have an odd size. */
  odd_size: number;
  /** Minimum confidence for items to count as duplicates: [Note: Near-duplicates]. */
  duplicates: number;
  /** Number of interquartile ranges above the third quartile of neighbour distances; items further from their neighbours are outliers. */
  outliers: number;
}

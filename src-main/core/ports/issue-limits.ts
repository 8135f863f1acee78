/**
 * [Note: Issues]
 * How surely an item has an issue is a confidence, 0 … 1, that is 0.5 where its measure is at a limit; limits are settings. Blur, dark, bright, low
 * information and odd aspect ratio are measured on the item alone; odd size, outliers and labels beside all others. Objects have the issues of
 * their images; outliers and labels are their own.
 */
export interface IssueLimits {
  /** Times the sharpness that is usual at the least: [Note: Blur]. */
  blur: number;
  /** Mean luma, 0 … 1; less is dark. */
  dark: number;
  /** How far below white the darkest twentieth is, 0 … 1; less is bright. */
  bright: number;
  /** Entropy of the luma in bits; less is little information. */
  low_information: number;
  /** Of the shorter side to the longer one; less is odd. */
  odd_aspect_ratio: number;
  /** Interquartile ranges beyond the quartiles; sizes further out are odd. */
  odd_size: number;
  /** Confidence from which on items count as duplicates: [Note: Near-duplicates]. */
  duplicates: number;
  /** Interquartile ranges above the third quartile; items further from their neighbours are outliers. */
  outliers: number;
}

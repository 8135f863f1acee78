/** Statistics of one image, measured on its working copy (longest side at most 512 px). */
export interface ImageQuality {
  /** Luma (ITU-R BT.601, gamma-coded), 0 to 1: mean and percentiles. */
  mean_luma: number;
  p01_luma: number;
  p05_luma: number;
  p50_luma: number;
  p95_luma: number;
  p99_luma: number;
  /** RMS contrast: standard deviation of the luma, 0 to 0.5. Peli, "Contrast in complex images", JOSA A 7(10), 1990. */
  contrast: number;
  /**
   * Variance of the 4-neighbour Laplacian over 8-bit luma; low means blurred. Pech-Pacheco et al., "Diatom autofocusing in
   * brightfield microscopy: a comparative study", ICPR 2000.
   */
  sharpness: number;
  /** Mean gradient magnitude (central differences) over 8-bit luma, in grey levels per pixel. */
  edge_energy: number;
  /**
   * Sharpness of edges whatever their contrast and number, in the direction in which they are softest: [Note: Blur]. Low means blurred or
   * moved; 0 for an image without edges.
   */
  edge_sharpness: number;
  /**
   * Share of pixels with a channel at its maximum, 0 to 1, as far as what surrounds them fades into them: [Note: Overexposure]. White ground
   * behind an object does not count.
   */
  blown_share: number;
  /** Shannon entropy of the 256-bin luma histogram, 0 to 8 bits. */
  entropy_bits: number;
  /** Hasler, Süsstrunk, "Measuring colourfulness in natural images", SPIE 5007, 2003; 0 is grey, above 80 very colourful. */
  colourfulness: number;
  /** Share of pixels whose channels differ by at most 6 levels, 0 to 1. */
  grey_share: number;
}

/** Number of values per cell: pixels that both images cover, and sums of a, b, a², b² and ab. */
const VALUES = 6;

/** Contrast and correlation of a part of two superimposed images. */
export interface PartStatistics {
  /** Number of pixels that both images cover. */
  pixels: number;
  /** The larger standard deviation of the two, in grey levels. */
  contrast: number;
  correlation: number;
  /** Standard deviation, in grey levels, that one image leaves unexplained of the other. */
  residual: number;
}

/** Sums of two superimposed images by square cells, of which any parts can be put together. */
export class CellStatistics {
  /** Number of cells side by side, and one below the other. */
  readonly across: number;
  readonly down: number;
  readonly #sums: Float64Array;

  /** @param covered 1 where both images are, otherwise 0. */
  constructor(
    a: Uint8Array,
    b: Uint8Array,
    covered: Uint8Array,
    { width, height }: { width: number; height: number },
    cellPx: number,
  ) {
    this.across = Math.ceil(width / cellPx);
    this.down = Math.ceil(height / cellPx);
    this.#sums = new Float64Array(this.across * this.down * VALUES);
    for (let cell = 0; cell < this.across * this.down; cell += 1) {
      const left = (cell % this.across) * cellPx;
      const top = Math.floor(cell / this.across) * cellPx;
      let n = 0;
      let sumA = 0;
      let sumB = 0;
      let sumAA = 0;
      let sumBB = 0;
      let sumAB = 0;
      for (let y = top; y < Math.min(height, top + cellPx); y += 1) {
        const end = y * width + Math.min(width, left + cellPx);
        for (let at = y * width + left; at < end; at += 1) {
          if (covered[at] === 0) continue;
          const inA = a[at] as number;
          const inB = b[at] as number;
          n += 1;
          sumA += inA;
          sumB += inB;
          sumAA += inA * inA;
          sumBB += inB * inB;
          sumAB += inA * inB;
        }
      }
      this.#sums.set([n, sumA, sumB, sumAA, sumBB, sumAB], cell * VALUES);
    }
  }

  /** Returns the statistics of some cells together. */
  of(cells: readonly number[]): PartStatistics {
    const sums = new Float64Array(VALUES);
    for (const cell of cells)
      for (let value = 0; value < VALUES; value += 1)
        sums[value] = (sums[value] as number) + (this.#sums[cell * VALUES + value] as number);
    const [n = 0, sumA = 0, sumB = 0, sumAA = 0, sumBB = 0, sumAB = 0] = sums;
    if (n === 0) return { pixels: 0, contrast: 0, correlation: 0, residual: 0 };
    const [meanA, meanB] = [sumA / n, sumB / n];
    const deviationA = Math.sqrt(Math.max(0, sumAA / n - meanA * meanA));
    const deviationB = Math.sqrt(Math.max(0, sumBB / n - meanB * meanB));
    const contrast = Math.max(deviationA, deviationB);
    const scale = deviationA * deviationB;
    const correlation = scale === 0 ? 0 : (sumAB / n - meanA * meanB) / scale;
    return { pixels: n, contrast, correlation, residual: contrast * Math.sqrt(Math.max(0, 1 - correlation ** 2)) };
  }
}

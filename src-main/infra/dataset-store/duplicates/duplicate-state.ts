/** Meta key of the state of the comparison for duplicates. */
export const COMPARED = 'duplicates';

export interface Compared {
  /** Pairs of rows below this number are compared, with and without their borders. */
  rows: number;
  /**
   * Pairs that were found and wait for comparison, in a file in the folder of the indexes: all pairs of rows below `count`, of which the
   * first `done` are compared.
   */
  waiting?: { file: string; count: number; done: number };
}

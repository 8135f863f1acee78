/** Meta key of the state of the comparison for duplicates. */
export const COMPARED = 'duplicates';

export interface Compared {
  /** Pairs of rows below this number are compared. */
  rows: number;
  /** Rows below this number were checked for a border; missing if an earlier version compared them. */
  borders?: number;
  /**
   * Pairs that were found and wait for comparison, in a file in the folder of the indexes: all pairs of rows below `count`, of which the
   * first `done` are compared. `borders` is set once borders are checked.
   */
  waiting?: { file: string; count: number; done: number; borders?: number };
}

/** Where a generation says what of it is compared for duplicates. */
export const COMPARED = 'duplicates';

export interface Compared {
  /** Pairs of rows below it are. */
  rows: number;
  /** Pairs that were found and wait, in a file among those of indexes: all of rows below `count`, of which so many are done. */
  waiting?: { file: string; count: number; done: number };
}

/** Where a generation says what of it is compared for duplicates. */
export const COMPARED = 'duplicates';

export interface Compared {
  /** Pairs of rows below it are. */
  rows: number;
  /** Rows below it were looked at for a border; none in what former versions compared. */
  borders?: number;
  /** Pairs that were found and wait, in a file among those of indexes: all of rows below `count`, of which so many are done; `borders` once they are. */
  waiting?: { file: string; count: number; done: number; borders?: number };
}

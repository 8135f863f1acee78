/**
 * [Note: Sets of rows]
 * A user's edit of items and objects applies to many rows at once: a tag, a label, exclusion. Each edit is a set of rows, stored as
 * compressed blocks of one bit per row. An edit of a million rows changes 31 blocks of at most 4 kB each, so the edit is one short
 * transaction and adds few pages to a snapshot. Tags have a set for each day on which they were assigned; see [Note: Times of tags].
 */
export const BLOCK_ROWS = 2 ** 15;
export const BLOCK_WORDS = BLOCK_ROWS / 32;

/** A block of a set, or of the changes in it: {@link BLOCK_WORDS} words. */
export interface SetBlock {
  set_id: number;
  block: number;
  words: Uint32Array;
}

/** A file of a generation other than its database. */
export interface StateFile {
  /** Path relative to the generation's folder. */
  path: string;
  /** Number of leading bytes that belong to the generation; 0 for the whole file. */
  bytes: number;
}

/** A file that another generation, a snapshot or a backup can take over. */
export interface GenerationFile extends StateFile {
  /**
   * Whether rows are still appended to the file in place. Other generations must copy the bytes they need instead of sharing the file. A
   * file that does not grow never changes.
   */
  is_growing: boolean;
}

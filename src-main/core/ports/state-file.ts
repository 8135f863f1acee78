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

/** A missing or damaged file. */
export interface LostFile {
  /** Relative to the data folder. */
  path: string;
  /** How a backup's file is recognised as undamaged: by its SHA-256, or by its minimum length. */
  sound: { sha256: string } | { least_bytes: number };
}

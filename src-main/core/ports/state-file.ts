/** A file of a generation other than its database. */
export interface StateFile {
  /** Path relative to the generation's folder. */
  path: string;
  /** Number of leading bytes that belong to the generation; 0 for the whole file. */
  bytes: number;
}

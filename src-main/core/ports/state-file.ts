/** A file of a generation beside its database. */
export interface StateFile {
  /** Below the generation's folder. */
  path: string;
  /** How much of it belongs to the generation; 0 is all. */
  bytes: number;
}

/** EXIF properties of a file; null if the tag is missing. */
export interface Exif {
  camera: string | null;
  lens: string | null;
  /** ISO 8601, with a UTC offset only if the file states one. */
  taken_at: string | null;
  /** Decimal degrees. */
  latitude: number | null;
  longitude: number | null;
}

/** EXIF of the camera; null where a tag is missing. */
export interface Exif {
  camera: string | null;
  lens: string | null;
  /** ISO 8601, with an offset only if the file states one. */
  taken_at: string | null;
  /** Decimal degrees. */
  latitude: number | null;
  longitude: number | null;
}

/**
 * Accepted names of the column with the location of a media file, in any case and with spaces or hyphens in place of underscores. The first
 * name of this list that a table has is used, so that a full address takes precedence over a bare file name.
 */
export const LOCATION_COLUMNS = [
  's3_uri',
  'uri',
  'url',
  'location',
  'media_uri',
  'image_uri',
  'image_url',
  'file_path',
  'filepath',
  'image_path',
  'path',
  'filename',
  'file_name',
  'file',
  'image',
  'media',
] as const;

/** Index of the location column among these names; -1 when there is none. */
export function findLocationColumn(names: string[]): number {
  const plain = names.map((name) => name.trim().toLowerCase().replaceAll(/[ -]/g, '_'));
  for (const accepted of LOCATION_COLUMNS) {
    const at = plain.indexOf(accepted);
    if (at >= 0) return at;
  }
  return -1;
}

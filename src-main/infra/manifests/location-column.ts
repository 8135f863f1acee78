/**
 * Names of the column that tells where a media file is, in any case, with spaces or hyphens for underscores. The first of this list that a
 * table has counts, so that a full address goes before a bare file name.
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

/** Where the location column stands among these names; -1 when there is none. */
export function findLocationColumn(names: string[]): number {
  const plain = names.map((name) => name.trim().toLowerCase().replaceAll(/[ -]/g, '_'));
  for (const accepted of LOCATION_COLUMNS) {
    const at = plain.indexOf(accepted);
    if (at >= 0) return at;
  }
  return -1;
}

const LIST = /\.(csv|txt|parquet)$/i;

/** Kind of a typed location. Only folders can be listed. */
export type LocationKind = 'folder' | 'list' | 'objects';

export function locationKind(location: string): LocationKind {
  const text = location.trim();
  if (/^s3:/i.test(text)) return 'objects';
  return LIST.test(text) ? 'list' : 'folder';
}

/** `/data/cars.csv` → `/data/cars`. */
export function withoutListEnding(location: string): string {
  return location.trim().replace(LIST, '');
}

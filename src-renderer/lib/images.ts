/** Formats that browsers decode. Others (TIFF, HEIC, JPEG 2000, camera raw…) are shown as thumbnails. */
const DECODABLE = new Set(['jpg', 'jpeg', 'jfif', 'png', 'apng', 'gif', 'webp', 'avif', 'bmp', 'svg', 'ico']);

export function isDecodable(fileName: string, format?: string): boolean {
  if (format !== undefined && format !== '') return DECODABLE.has(format.toLowerCase());
  return DECODABLE.has(fileName.slice(fileName.lastIndexOf('.') + 1).toLowerCase());
}

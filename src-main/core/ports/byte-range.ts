/** A range of bytes in a file on disk. */
export interface ByteRange {
  path: string;
  offset: number;
  /** Number of bytes; null means up to the end of the file. */
  length: number | null;
  /** CRC-32 of the bytes; null if unknown. */
  crc32: number | null;
  content_hash: string;
  format: string;
  file_name: string;
}

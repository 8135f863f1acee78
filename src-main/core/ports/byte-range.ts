/** Bytes of a file on disk. */
export interface ByteRange {
  path: string;
  offset: number;
  /** Null: to the end of the file. */
  length: number | null;
  /** CRC-32 of the bytes; null where it is not known. */
  crc32: number | null;
  content_hash: string;
  format: string;
  file_name: string;
}

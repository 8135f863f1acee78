import type { Readable } from 'node:stream';

/** One file of an archive. Folders are not entries; they live on in `path`. */
export interface ArchiveEntry {
  /** Relative, `/`-separated, without `.` or `..`, unique in the archive; control characters are replaced. Never a place to write to. */
  path: string;
  /** The size that the archive declares; what `open` gives has exactly this size or fails. */
  size_bytes: number;
  /**
   * The content, once, and only until the next entry is asked for: what is left by then is skipped. Fails with AppError
   * `invalid_request` when the content is damaged, does not match its checksum or is not as long as declared; asking for the next entry
   * then fails the same way.
   */
  open(): Readable;
}

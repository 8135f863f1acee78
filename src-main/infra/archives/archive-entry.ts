import { Readable } from 'node:stream';
import { AppError } from '../../contract/errors.ts';
import type { Message } from '../../contract/messages.ts';

/** A problem of one entry; the other entries of the archive can still be read. */
export class EntryProblem extends AppError {
  readonly kind: 'unreadable' | 'unsupported';

  constructor(kind: EntryProblem['kind'], detail: Message) {
    super('invalid_request', detail);
    this.kind = kind;
  }
}

/** A file of an archive, or something else in the place of a file. Folders are not entries; their names are part of `path`. */
export interface ArchiveEntry {
  /**
   * Relative, `/`-separated, without `.` or `..`, unique in the archive; control characters are replaced. Never use it as a path to write
   * to.
   */
  path: string;
  /** Size that the archive declares. The content from `open` has exactly this size, or reading fails. */
  size_bytes: number;
  /** Reason why the entry cannot be read, as far as the archive's directory shows; mostly null. */
  problem: EntryProblem | null;
  /**
   * Opens the content. Can be called once, before the next entry is requested; unread content is then skipped. Fails with
   * {@link EntryProblem} when only this entry cannot be read. Any other failure concerns the whole archive, and requesting the next entry
   * fails with the same error.
   */
  open(): Readable;
}

/** Creates an entry that only reports a problem. */
export function unusableEntry(path: string, problem: EntryProblem): ArchiveEntry {
  const open = () =>
    new Readable({
      read() {
        this.destroy(problem);
      },
    });
  return { path, size_bytes: 0, problem, open };
}

import { Readable } from 'node:stream';
import { AppError } from '../../contract/errors.ts';

/** What is wrong with one entry alone; the others of its archive can be read. */
export class EntryProblem extends AppError {
  readonly kind: 'unreadable' | 'unsupported';

  constructor(kind: EntryProblem['kind'], detail: string) {
    super('invalid_request', detail);
    this.kind = kind;
  }
}

/** One file of an archive, or something that stands where a file should. Folders are not entries; they live on in `path`. */
export interface ArchiveEntry {
  /** Relative, `/`-separated, without `.` or `..`, unique in the archive; control characters are replaced. Never a place to write to. */
  path: string;
  /** The size that the archive declares; what `open` gives has exactly this size or fails. */
  size_bytes: number;
  /** Why it cannot be read, as far as the archive's list tells; null for the most. */
  problem: EntryProblem | null;
  /**
   * The content, once, and only until the next entry is asked for: what is left by then is skipped. Fails with {@link EntryProblem} when
   * this entry alone cannot be read. Any other failure means the whole archive, and asking for the next entry fails the same way.
   */
  open(): Readable;
}

/** An entry that is there only to be told of. */
export function unusableEntry(path: string, problem: EntryProblem): ArchiveEntry {
  const open = () =>
    new Readable({
      read() {
        this.destroy(problem);
      },
    });
  return { path, size_bytes: 0, problem, open };
}

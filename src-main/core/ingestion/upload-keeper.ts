import { pMapSettled } from 'p-map';
import type { UploadedFile } from '../../contract/fields.ts';
import { formatMessage, message } from '../../contract/messages.ts';
import type { NewFile } from '../ports/dataset-files.ts';
import type { FileKindOf, StoredOriginal, StoredOriginals } from '../ports/files.ts';
import { uploadPath } from './upload-path.ts';

export interface RefusedFile {
  file_name: string;
  reason: string;
}

/** Number of files of a request that are moved concurrently. */
const MOVES_AT_ONCE = 8;
const REASON = message('file_of_unknown_format');
/** Message for a request without any usable file. */
export const NOTHING_KNOWN = message('no_file_known');

/** Stores uploaded media and annotations in a batch's folder, and reports the files that are neither. */
export class UploadKeeper {
  readonly #originals: StoredOriginals;
  readonly #kindOf: FileKindOf;
  readonly #isSurelyKnown: (filePath: string) => boolean;

  /** @param isSurelyKnown Whether a file belongs to a dataset by its name alone. */
  constructor(originals: StoredOriginals, kindOf: FileKindOf, isSurelyKnown: (filePath: string) => boolean) {
    this.#originals = originals;
    this.#kindOf = kindOf;
    this.#isSurelyKnown = isSurelyKnown;
  }

  /**
   * Stores the files of a request. Text files that may be annotations are accepted only if the request also contains a file that is known
   * by its name.
   *
   * @returns `files` to add to the batch: the stored files, and rejected files, which have a problem and no stored bytes.
   */
  async keep(
    batchId: string,
    files: readonly UploadedFile[],
  ): Promise<{ files: NewFile[]; n_kept: number; refused: RefusedFile[] }> {
    const added: NewFile[] = [];
    const refused: RefusedFile[] = [];
    const isAnyKnown = files.some((file) => this.#isSurelyKnown(uploadPath(file.file_name)));
    const kindOf = (filePath: string) => (isAnyKnown ? this.#kindOf(filePath) : undefined);
    const place = async (file: UploadedFile): Promise<StoredOriginal | undefined> =>
      kindOf(uploadPath(file.file_name)) && this.#originals.keep(batchId, file);
    // Wait for all moves before reporting a failure, so that no file is moved into a folder that is being deleted.
    const moves = await pMapSettled(files, place, { concurrency: MOVES_AT_ONCE });
    for (const [index, file] of files.entries()) {
      const filePath = uploadPath(file.file_name);
      const kind = kindOf(filePath);
      const move = moves[index];
      if (move?.status === 'rejected') throw move.reason;
      const kept = move?.value;
      if (kind && kept) {
        added.push({ file_path: filePath, kind, ...kept });
        continue;
      }
      refused.push({ file_name: filePath, reason: formatMessage(REASON) });
      added.push(unsupported(filePath, file.size_bytes));
    }
    return { files: added, n_kept: added.length - refused.length, refused };
  }
}

/** Returns the entry of a rejected file: its name, size and problem, without stored bytes. */
function unsupported(filePath: string, sizeBytes: number): NewFile {
  return {
    file_path: filePath,
    location: '',
    kind: 'image',
    size_bytes: sizeBytes,
    mtime_ms: 0,
    problem: { kind: 'unsupported', reason: REASON },
  };
}

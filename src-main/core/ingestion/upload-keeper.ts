import { pMapSettled } from 'p-map';
import type { UploadedFile } from '../../contract/fields.ts';
import type { NewFile } from '../ports/dataset-files.ts';
import type { FileKindOf, KeptFile, KeptOriginals } from '../ports/files.ts';
import { uploadPath } from './upload-path.ts';

export interface RefusedFile {
  file_name: string;
  reason: string;
}

/** Files of a request that are moved into place at a time. */
const MOVES_AT_ONCE = 8;
const REASON = 'Not an image or video of a known format';
/** Of a request without a single file that can be used. */
export const NOTHING_KNOWN = 'None of the files is an image or video of a known format';

/** Takes uploaded media and annotations into a batch's folder, and says which files were none. */
export class UploadKeeper {
  readonly #originals: KeptOriginals;
  readonly #kindOf: FileKindOf;
  readonly #isSurelyKnown: (filePath: string) => boolean;

  /** @param isSurelyKnown Whether the name alone makes a file part of a dataset. */
  constructor(originals: KeptOriginals, kindOf: FileKindOf, isSurelyKnown: (filePath: string) => boolean) {
    this.#originals = originals;
    this.#kindOf = kindOf;
    this.#isSurelyKnown = isSurelyKnown;
  }

  /**
   * Texts that may be annotations are taken beside what is surely known, and refused alone.
   *
   * @returns `files` to add to the batch: those that were kept, and those that are no media as files with a problem, without their bytes.
   */
  async keep(
    batchId: string,
    files: readonly UploadedFile[],
  ): Promise<{ files: NewFile[]; n_kept: number; refused: RefusedFile[] }> {
    const added: NewFile[] = [];
    const refused: RefusedFile[] = [];
    const isAnyKnown = files.some((file) => this.#isSurelyKnown(uploadPath(file.file_name)));
    const kindOf = (filePath: string) => (isAnyKnown ? this.#kindOf(filePath) : undefined);
    const place = async (file: UploadedFile): Promise<KeptFile | undefined> =>
      kindOf(uploadPath(file.file_name)) && this.#originals.keep(batchId, file);
    // All moves end before a failure is told, so that nothing comes into a folder that is being cleared away.
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
      refused.push({ file_name: filePath, reason: REASON });
      added.push(unsupported(filePath, file.size_bytes));
    }
    return { files: added, n_kept: added.length - refused.length, refused };
  }
}

/** A file that lies nowhere: only that it came, and why it is of no use. */
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

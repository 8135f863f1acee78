import type { UploadedFile } from '../../contract/fields.ts';
import type { NewFile } from '../dataset-store.port.ts';
import type { FileKindOf, KeptOriginals } from '../files.port.ts';
import { uploadPath } from './upload-path.ts';

export interface RefusedFile {
  file_name: string;
  reason: string;
}

/** Takes uploaded media and annotations into a batch's folder, and says which files were none. */
export class UploadKeeper {
  readonly #originals: KeptOriginals;
  readonly #kindOf: FileKindOf;

  constructor(originals: KeptOriginals, kindOf: FileKindOf) {
    this.#originals = originals;
    this.#kindOf = kindOf;
  }

  async keep(batch_id: string, files: readonly UploadedFile[]): Promise<{ kept: NewFile[]; refused: RefusedFile[] }> {
    const kept: NewFile[] = [];
    const refused: RefusedFile[] = [];
    for (const file of files) {
      const file_path = uploadPath(file.file_name);
      const kind = this.#kindOf(file_path);
      if (kind === undefined) {
        refused.push({ file_name: file_path, reason: 'Not an image or video of a known format' });
        continue;
      }
      kept.push({ file_path, kind, ...(await this.#originals.keep(batch_id, file)) });
    }
    return { kept, refused };
  }
}

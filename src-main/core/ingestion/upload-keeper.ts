import type { UploadedFile } from '../../contract/fields.ts';
import type { NewFile } from '../dataset-store.port.ts';
import type { KeptOriginals, MediaNames } from '../files.port.ts';
import { uploadPath } from './upload-path.ts';

export interface RefusedFile {
  file_name: string;
  reason: string;
}

/** Takes uploaded media into a batch's folder, and says which files were none. */
export class UploadKeeper {
  readonly #originals: KeptOriginals;
  readonly #names: MediaNames;

  constructor(originals: KeptOriginals, names: MediaNames) {
    this.#originals = originals;
    this.#names = names;
  }

  async keep(batch_id: string, files: readonly UploadedFile[]): Promise<{ kept: NewFile[]; refused: RefusedFile[] }> {
    const kept: NewFile[] = [];
    const refused: RefusedFile[] = [];
    for (const file of files) {
      const file_path = uploadPath(file.file_name);
      const kind = this.#names.isVideo(file_path) ? 'video' : 'image';
      if (kind === 'image' && !this.#names.isImage(file_path)) {
        refused.push({ file_name: file_path, reason: 'Not an image or video of a known format' });
        continue;
      }
      kept.push({ file_path, kind, ...(await this.#originals.keep(batch_id, file)) });
    }
    return { kept, refused };
  }
}

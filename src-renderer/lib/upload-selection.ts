import type { DroppedFile } from './dropped-files.ts';

const ARCHIVE = /\.(zip|tar|tar\.gz|tgz)$/i;

/** Maximum number of files in one request (`add_media` sends a batch as a whole). */
export const MAX_REQUEST_FILES = 10_000;

/** Method of sending the chosen files. `mixed`: an archive with other files, which no request accepts. */
export type UploadSelection =
  | { kind: 'none' }
  | { kind: 'files'; files: readonly DroppedFile[] }
  | { kind: 'archive'; archive: DroppedFile }
  | { kind: 'mixed' };

function isArchive(fileName: string): boolean {
  return ARCHIVE.test(fileName);
}

/** An archive inside a dropped folder is an ordinary file, which the server skips and reports. An archive beside other files is intended. */
export function selectionOf(files: readonly DroppedFile[]): UploadSelection {
  const [first, ...others] = files;
  if (first === undefined) return { kind: 'none' };
  if (others.length === 0 && isArchive(first.file.name)) return { kind: 'archive', archive: first };
  return files.some(({ relativePath }) => isArchive(relativePath) && !relativePath.includes('/'))
    ? { kind: 'mixed' }
    : { kind: 'files', files };
}

/** `holiday.tar.gz` → `holiday`. */
export function withoutArchiveEnding(fileName: string): string {
  return fileName.replace(ARCHIVE, '');
}

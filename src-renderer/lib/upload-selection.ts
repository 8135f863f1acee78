import type { DroppedFile } from './dropped-files.ts';

const ARCHIVE = /\.(zip|tar|tar\.gz|tgz)$/i;

/** Files that one request may carry (`add_media` takes a batch whole). */
export const MAX_REQUEST_FILES = 10_000;

/** What chosen files are sent as. `mixed`: an archive beside other files, which no request takes. */
export type UploadSelection =
  | { kind: 'none' }
  | { kind: 'files'; files: readonly DroppedFile[] }
  | { kind: 'archive'; archive: DroppedFile }
  | { kind: 'mixed' };

function isArchive(fileName: string): boolean {
  return ARCHIVE.test(fileName);
}

/** An archive inside a dropped folder is a file among others, which the core leaves out and says so; one beside other files is meant. */
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

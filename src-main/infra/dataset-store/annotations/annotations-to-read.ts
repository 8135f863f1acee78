import { isYoloLabels } from '../../annotations/find-annotation-files.ts';

interface Files {
  /** All annotation files currently in the folder. */
  annotation_paths: readonly string[];
  /** New and changed annotation files. */
  changed_paths: readonly string[];
  /** Media added to the folder. */
  new_media_paths: readonly string[];
}

/**
 * Returns the annotation files of a folder that must be read after annotation files changed or media were added. A table, a list or a file
 * of class names affects all other files, so all of them are read. A file with the labels of one image affects no other file: such files
 * are read only if they changed or their image was added, so that images with their labels can be added one by one to a very large folder.
 * @param unmatchedFiles Returns the media files that annotations name and that could not be used. Called only when needed.
 */
export function annotationsToRead(files: Files, unmatchedFiles: () => readonly string[]): string[] {
  const { annotation_paths, changed_paths, new_media_paths } = files;
  if (changed_paths.some((path) => !isYoloLabels(path))) return [...annotation_paths];
  if (annotation_paths.length === 0) return [];
  const changed = new Set(changed_paths);
  const names = new Set(new_media_paths.map(nameOf));
  const stems = new Set([...names].map(stemOf));
  const labels = annotation_paths.filter(
    (path) => isYoloLabels(path) && (changed.has(path) || stems.has(stemOf(nameOf(path)))),
  );
  const hasCome = (fileKey: string) => names.has(nameOf(fileKey));
  if (labels.length === 0 && (names.size === 0 || !unmatchedFiles().some(hasCome))) return [];
  return [...labels, ...annotation_paths.filter((path) => !isYoloLabels(path))];
}

function nameOf(path: string): string {
  return path
    .slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1)
    .normalize('NFC')
    .toLowerCase();
}

function stemOf(name: string): string {
  return name.slice(0, name.lastIndexOf('.'));
}

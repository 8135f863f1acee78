import { isYoloLabels } from '../../annotations/find-annotation-files.ts';

interface Files {
  /** All annotation files of a folder as it is now. */
  annotation_paths: readonly string[];
  /** Those that are new or have changed. */
  changed_paths: readonly string[];
  /** Media that came to the folder. */
  new_media_paths: readonly string[];
}

/**
 * Which annotation files of a folder must be read when some changed or media came. A table, a list or the names of classes bear on all
 * others, so that all are read. The labels of one image bear on nothing else: of such files only those are read that changed or whose
 * image came, so that images with their labels can come one by one to a folder of very many.
 * @param unmatchedFiles Media files that annotations name and that could not be used. Called only when needed.
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

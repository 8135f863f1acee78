import { SPLITS, type SplitName } from './schemas/export.ts';

/** Field of custom metadata that holds an item's split. */
export const SPLIT_FIELD = 'split';

/** Names of folders that hold one split, in lower case. */
const SPLIT_FOLDERS = new Map<string, SplitName>([
  ...SPLITS.map((split) => [split, split] as const),
  ['training', 'train'],
  ['valid', 'val'],
  ['validation', 'val'],
  ['testing', 'test'],
]);
/** Names of folders that only hold images, in lower case: they are no classes. */
const IMAGE_FOLDERS = new Set(['images', 'image', 'img', 'imgs', 'jpegimages']);

/** Returns the split that a name of a folder or of a list of images means. */
export function splitNamed(name: string): SplitName | null {
  return SPLIT_FOLDERS.get(name.toLowerCase()) ?? null;
}

/** Class and split that the names of the folders of an image give. */
export interface FolderLabel {
  /** Null for images that are in no folder of a class. */
  label: string | null;
  split: SplitName | null;
}

/**
 * Returns a function that reads class and split from the path of an image: `class/a.jpg`, `train/class/a.jpg`. Folders that contain all
 * images are ignored, and folders inside that of a class belong to the class.
 * @param paths Relative paths of all images, with `/`.
 * @param known Classes of images that the dataset has already; undefined for the first images. A folder of all images is then the class if
 * it has the name of one, or if it is the innermost.
 */
export function folderLabels(paths: Iterable<string>, known?: ReadonlySet<string>): (path: string) => FolderLabel {
  let common: string[] | undefined;
  let deepest = 0;
  for (const path of paths) {
    const folders = foldersOf(path);
    deepest = Math.max(deepest, folders.length);
    common = common === undefined ? folders : common.slice(0, nCommon(common, folders));
  }
  // A dataset with one class, or one split, keeps that folder's meaning.
  const wrapping = (common ?? []).filter((folder) => !SPLIT_FOLDERS.has(folder.toLowerCase()));
  const nCommonFolders = wrapping.length === (common ?? []).length ? wrapping.length : firstSplit(common ?? []);
  const ofClass = known && wrapping.findIndex((folder, at) => known.has(folder) || at === deepest - 1);
  const nWrapping = ofClass === undefined || ofClass < 0 ? nCommonFolders : Math.min(ofClass, nCommonFolders);
  return (path) => {
    const [first, ...others] = foldersOf(path)
      .slice(nWrapping)
      .filter((folder) => !IMAGE_FOLDERS.has(folder.toLowerCase()));
    if (first === undefined) return { label: null, split: null };
    const split = splitNamed(first);
    return { label: (split === null ? first : others[0]) ?? null, split };
  };
}

/** Counts of the classes and splits that folders name. */
export interface FolderLabelCounts {
  /** Most frequent first. */
  classes: { name: string; count: number }[];
  splits: { name: SplitName; count: number }[];
}

export function countFolderLabels(paths: readonly string[]): FolderLabelCounts {
  const read = folderLabels(paths);
  const classes = new Map<string, number>();
  const splits = new Map<SplitName, number>();
  for (const path of paths) {
    const { label, split } = read(path);
    if (label !== null) classes.set(label, (classes.get(label) ?? 0) + 1);
    if (split !== null) splits.set(split, (splits.get(split) ?? 0) + 1);
  }
  return {
    classes: [...classes]
      .map(([name, count]) => ({ name, count }))
      .sort((a, b) => b.count - a.count || (a.name < b.name ? -1 : 1)),
    splits: SPLITS.flatMap((name) => (splits.has(name) ? [{ name, count: splits.get(name) ?? 0 }] : [])),
  };
}

function foldersOf(path: string): string[] {
  return path.split('/').slice(0, -1);
}

function nCommon(one: readonly string[], other: readonly string[]): number {
  const differs = one.findIndex((folder, at) => folder !== other[at]);
  return differs < 0 ? one.length : differs;
}

function firstSplit(folders: readonly string[]): number {
  return folders.findIndex((folder) => SPLIT_FOLDERS.has(folder.toLowerCase()));
}

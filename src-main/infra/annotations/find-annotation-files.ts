import { mediaNames } from '../files/media-names.ts';

/** A set of annotations beside media. Paths are relative to the folder that holds the media, with `/`. */
export type AnnotationSource =
  | { kind: 'image_table' | 'object_table'; format: 'csv' | 'parquet'; path: string }
  | { kind: 'coco'; path: string }
  | {
      kind: 'yolo';
      /** The folder of the labels. */
      path: string;
      /** The file that names the classes. */
      names_path: string | null;
      /** The text files with the boxes, and the file that each is about where there is one. */
      labels: { path: string; media_path: string | null }[];
    };

const TABLE = /^(image|object)_annotations\.(csv|parquet)$/i;
/** Such as `annotations.json`, `instances_val2017.json`, `_annotations.coco.json`. */
const COCO = /(^|[._-])(annotations?|instances|captions|coco)([._-].*)?\.json$/i;
/** In the order of preference. */
const YOLO_NAMES = ['data.yaml', 'data.yml', 'classes.txt', 'obj.names'];
const YOLO_FOLDER = 'labels';

/** Whether a file could be part of annotations, by its relative path: to be kept beside the media when a folder or archive is read. */
export function isAnnotationFile(path: string): boolean {
  const name = basename(path);
  return TABLE.test(name) || COCO.test(name) || isYoloNames(path) || isYoloLabels(path);
}

/**
 * The annotations among all files below a folder:
 *
 * - `image_annotations` and `object_annotations`, as `.csv` or `.parquet`, in any folder;
 * - COCO in any folder: JSON files that are called as such files are, by the words `annotations`, `instances`, `captions` or `coco`;
 * - YOLO: a folder `labels` of text files that are called as media files are, in the folder `images` beside it (`images/a.jpg`,
 *   `labels/a.txt`; also `images/train/…`, `train/images/…`), or in the folder above, or among the labels, or in the one other folder beside
 *   it that has such a file; classes are named by `data.yaml`,
 *   `classes.txt` or `obj.names` in the folder of the labels or one above. A `labels` folder with neither is none.
 */
export function findAnnotationFiles(paths: Iterable<string>): AnnotationSource[] {
  const sources: AnnotationSource[] = [];
  const labelPaths: string[] = [];
  const namesByFolder = new Map<string, string>();
  const mediaByStem = new Map<string, string>();
  for (const path of paths) {
    const table = TABLE.exec(basename(path));
    if (table) {
      const kind = table[1]?.toLowerCase() === 'image' ? 'image_table' : 'object_table';
      sources.push({ kind, format: table[2]?.toLowerCase() === 'csv' ? 'csv' : 'parquet', path });
    } else if (COCO.test(basename(path))) {
      sources.push({ kind: 'coco', path });
    } else if (isYoloNames(path)) {
      const known = namesByFolder.get(dirname(path));
      if (known === undefined || preference(path) < preference(known)) namesByFolder.set(dirname(path), path);
    } else if (isYoloLabels(path)) {
      labelPaths.push(path);
    } else if (mediaNames.isImage(path)) {
      mediaByStem.set(stem(path), path);
    }
  }
  return [...sources, ...yoloSources(labelPaths, namesByFolder, mediaByStem)].sort((a, b) =>
    a.path < b.path ? -1 : 1,
  );
}

function yoloSources(
  labelPaths: string[],
  namesByFolder: Map<string, string>,
  mediaByStem: Map<string, string>,
): AnnotationSource[] {
  const folders = Map.groupBy(labelPaths, labelsFolder);
  const sources: AnnotationSource[] = [];
  for (const [path, ofFolder] of folders) {
    const siblings = foldersBeside(path, mediaByStem);
    const labels = ofFolder.map((label) => ({
      path: label,
      media_path: mediaOf(label, path, siblings, mediaByStem),
    }));
    const namesPath = namesFor(path, namesByFolder);
    if (namesPath === null && labels.every((label) => label.media_path === null)) continue;
    sources.push({ kind: 'yolo', path, names_path: namesPath, labels });
  }
  return sources;
}

function mediaOf(
  path: string,
  folder: string,
  siblings: readonly string[],
  mediaByStem: Map<string, string>,
): string | null {
  const inside = stem(path).slice(folder.length + 1);
  const above = dirname(folder);
  for (const place of [join(above, 'images'), above, folder]) {
    const media = mediaByStem.get(join(place, inside));
    if (media !== undefined) return media;
  }
  const beside = siblings.flatMap((place) => mediaByStem.get(join(place, inside)) ?? []);
  return beside.length === 1 ? (beside[0] ?? null) : null;
}

/** The folders with images that lie directly in the same folder as a folder of labels does. */
function foldersBeside(folder: string, mediaByStem: Map<string, string>): string[] {
  const above = dirname(folder);
  const start = above === '' ? '' : `${above}/`;
  const names = new Set<string>();
  for (const path of mediaByStem.keys()) {
    const slash = path.startsWith(start) ? path.indexOf('/', start.length) : -1;
    if (slash >= 0) names.add(path.slice(0, slash));
  }
  return [...names];
}

function namesFor(folder: string, namesByFolder: Map<string, string>): string | null {
  for (let at = folder; ; at = dirname(at)) {
    const names = namesByFolder.get(at);
    if (names !== undefined) return names;
    if (at === '') return null;
  }
}

/** The innermost folder called `labels` that a file lies in; '' is impossible for what `isYoloLabels` accepts. */
function labelsFolder(path: string): string {
  const parts = path.split('/');
  return parts.slice(0, parts.lastIndexOf(YOLO_FOLDER, parts.length - 2) + 1).join('/');
}

/** Whether a file may hold the boxes of one image. */
export function isYoloLabels(path: string): boolean {
  return /\.txt$/i.test(path) && !isYoloNames(path) && path.split('/').slice(0, -1).includes(YOLO_FOLDER);
}

function isYoloNames(path: string): boolean {
  return preference(path) >= 0;
}

function preference(path: string): number {
  return YOLO_NAMES.indexOf(basename(path).toLowerCase());
}

function basename(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

function dirname(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

function join(folder: string, path: string): string {
  return folder === '' ? path : `${folder}/${path}`;
}

function stem(path: string): string {
  const dot = path.lastIndexOf('.');
  return dot > path.lastIndexOf('/') ? path.slice(0, dot) : path;
}

import { mediaNames } from '../files/media-names.ts';

/** A set of annotations beside media. Paths are relative to the folder that contains the media, with `/`. */
export type AnnotationSource =
  | { kind: 'image_table' | 'object_table'; format: 'csv' | 'parquet'; path: string }
  /**
   * COCO, an export, LabelMe, VIA, Label Studio, FiftyOne or CreateML, by content. `is_named`: the name identifies COCO, so a broken file is
   * reported. `others`: the other JSON files.
   */
  | { kind: 'json'; path: string; is_named: boolean; others: string[] }
  /** Pascal VOC or CVAT, by content. */
  | { kind: 'xml'; path: string }
  /** `metadata.parquet` of an export or of Hugging Face. */
  | { kind: 'metadata_table'; path: string }
  /** Tables and lines of other formats, by content. `others`: CSV files that may name classes. */
  | { kind: 'rows'; format: 'csv' | 'jsonl'; path: string; others: string[] }
  | {
      kind: 'yolo';
      /** The folder of the labels. */
      path: string;
      /** Files that may declare the names of the classes, in order of preference. */
      names_paths: string[];
      /** Text files that may contain boxes, and the image of each. `is_guess`: an image of the same name in another folder. */
      labels: { path: string; media_path: string | null; is_guess?: true }[];
    };

const TABLE = /^(image|object)_annotations\.(csv|parquet)$/i;
/** Names such as `annotations.json`, `instances_val2017.json`, `_annotations.coco.json`. */
const COCO = /(^|[._-])(annotations?|instances|captions|coco)([._-].*)?\.json$/i;
const METADATA_TABLE = /^metadata\.parquet$/i;
/** File names in order of preference; the last three are matched by extension. */
const YOLO_NAMES = ['data.yaml', 'data.yml', 'classes.txt', 'labels.txt', 'obj.names', '.names', '.yaml', '.yml'];
/** Names of CSV files that may name classes, such as `class-descriptions-boxable.csv`. */
const CLASS_TABLE = /class|label|categor/i;
/** Maximum number of other files in which images or classes are looked up. */
const MAX_OTHERS = 20;
const YOLO_FOLDER = 'labels';
/** Common files that are not annotations. */
const SOMETHING_ELSE =
  /^((read[._ -]?me|notes?|licen[cs]e|copying|changelog|requirements|robots)([._-].*)?\.txt|cmakelists\.txt|(package(-lock)?|composer|tsconfig|jsconfig|manifest)([._-].*)?\.json)$/i;

/**
 * Whether a file could be part of annotations, by its relative path. Such files are stored with the media when a folder or archive is read.
 */
export function isAnnotationFile(path: string): boolean {
  return isTable(path) || isYoloNames(path) || isYoloLabels(path) || isJson(path) || isXml(path) || isRows(path);
}

/** Whether the name alone identifies a file as part of annotations. Other text and JSON files are identified by content. */
export function isNamedAsAnnotation(path: string): boolean {
  return isTable(path) || COCO.test(basename(path)) || isYoloNames(path) || isInLabels(path);
}

/**
 * Finds the annotations among all files below a folder:
 *
 * - `image_annotations` and `object_annotations`, as `.csv` or `.parquet`, and `metadata.parquet`, in any folder;
 * - JSON, XML, CSV and JSON lines in any folder, by their contents: COCO, its results, exports, Pascal VOC, CVAT, LabelMe, VIA, Label
 *   Studio, FiftyOne, CreateML, tables of TensorFlow, RetinaNet and Open Images, metadata of Hugging Face;
 * - YOLO: text files with the names of images in the same folder; or in a folder `labels`, with the images in the folder `images` beside it
 *   (`images/a.jpg`, `labels/a.txt`; also `images/train/…`, `train/images/…`), or in the folder above, or in the one other folder beside it
 *   that has such a file; or else the only image of that name in any folder. Classes are named by a YAML file with `names`, `classes.txt`,
 *   `labels.txt` or a `.names` file in the folder of the labels or one above.
 */
export function findAnnotationFiles(paths: Iterable<string>): AnnotationSource[] {
  const sources: AnnotationSource[] = [];
  const labelPaths: string[] = [];
  const jsonPaths: string[] = [];
  const rowPaths: string[] = [];
  const namesByFolder = new Map<string, string[]>();
  const mediaByStem = new Map<string, string>();
  for (const path of paths) {
    const table = TABLE.exec(basename(path));
    if (table) {
      const kind = table[1]?.toLowerCase() === 'image' ? 'image_table' : 'object_table';
      sources.push({ kind, format: table[2]?.toLowerCase() === 'csv' ? 'csv' : 'parquet', path });
    } else if (METADATA_TABLE.test(basename(path))) {
      sources.push({ kind: 'metadata_table', path });
    } else if (isJson(path)) {
      jsonPaths.push(path);
    } else if (isXml(path)) {
      sources.push({ kind: 'xml', path });
    } else if (isRows(path)) {
      rowPaths.push(path);
    } else if (isYoloNames(path)) {
      namesByFolder.set(dirname(path), [...(namesByFolder.get(dirname(path)) ?? []), path]);
    } else if (isYoloLabels(path)) {
      labelPaths.push(path);
    } else if (mediaNames.isImage(path)) {
      mediaByStem.set(stem(path), path);
    }
  }
  for (const path of jsonPaths) {
    const others = jsonPaths.filter((other) => other !== path).slice(0, MAX_OTHERS);
    sources.push({ kind: 'json', path, is_named: COCO.test(basename(path)), others });
  }
  const classPaths = rowPaths.filter((path) => CLASS_TABLE.test(basename(path))).slice(0, MAX_OTHERS);
  for (const path of rowPaths) {
    sources.push({ kind: 'rows', format: /\.csv$/i.test(path) ? 'csv' : 'jsonl', path, others: classPaths });
  }
  return [...sources, ...yoloSources(labelPaths, namesByFolder, mediaByStem)].sort((a, b) =>
    a.path < b.path ? -1 : 1,
  );
}

function yoloSources(
  labelPaths: string[],
  namesByFolder: Map<string, string[]>,
  mediaByStem: Map<string, string>,
): AnnotationSource[] {
  const folders = Map.groupBy(labelPaths, (path) => labelsFolder(path) ?? dirname(path));
  const byName = Map.groupBy(mediaByStem, ([mediaStem]) => basename(mediaStem));
  const onlyOne = (label: string): string | null => {
    const same = byName.get(basename(stem(label))) ?? [];
    return same.length === 1 ? (same[0]?.[1] ?? null) : null;
  };
  return [...folders].map(([path, ofFolder]) => {
    const isParallel = ofFolder.some((label) => labelsFolder(label) === path);
    const siblings = isParallel ? foldersBeside(path, mediaByStem) : [];
    const labels = ofFolder.map((label) => {
      const near = mediaByStem.get(stem(label)) ?? (isParallel ? mediaOf(label, path, siblings, mediaByStem) : null);
      const guess = near === null ? onlyOne(label) : null;
      return guess === null
        ? { path: label, media_path: near }
        : { path: label, media_path: guess, is_guess: true as const };
    });
    return { kind: 'yolo', path, names_paths: namesFor(path, namesByFolder), labels };
  });
}

function mediaOf(
  path: string,
  folder: string,
  siblings: readonly string[],
  mediaByStem: Map<string, string>,
): string | null {
  const inside = stem(path).slice(folder.length + 1);
  const above = dirname(folder);
  for (const place of [join(above, 'images'), above]) {
    const media = mediaByStem.get(join(place, inside));
    if (media !== undefined) return media;
  }
  const beside = siblings.flatMap((place) => mediaByStem.get(join(place, inside)) ?? []);
  return beside.length === 1 ? (beside[0] ?? null) : null;
}

/** Returns the folders with images in the same parent folder as a folder of labels. */
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

/** Returns the files that may declare names of classes, in a folder and those above it, nearest first. */
function namesFor(folder: string, namesByFolder: Map<string, string[]>): string[] {
  const found: string[] = [];
  for (let at = folder; ; at = dirname(at)) {
    found.push(...(namesByFolder.get(at) ?? []).toSorted((a, b) => preference(a) - preference(b)));
    if (at === '') return found;
  }
}

/** Returns the innermost folder named `labels` that contains a file. */
function labelsFolder(path: string): string | undefined {
  const folders = path.split('/').slice(0, -1);
  const at = folders.lastIndexOf(YOLO_FOLDER);
  return at < 0 ? undefined : folders.slice(0, at + 1).join('/');
}

function isTable(path: string): boolean {
  return TABLE.test(basename(path)) || METADATA_TABLE.test(basename(path));
}

/** Whether a file may contain the boxes of one image. */
export function isYoloLabels(path: string): boolean {
  return /\.txt$/i.test(path) && !isYoloNames(path) && !SOMETHING_ELSE.test(basename(path));
}

function isInLabels(path: string): boolean {
  return labelsFolder(path) !== undefined && isYoloLabels(path);
}

function isJson(path: string): boolean {
  return /\.json$/i.test(path) && !SOMETHING_ELSE.test(basename(path));
}

function isXml(path: string): boolean {
  return /\.xml$/i.test(path);
}

function isRows(path: string): boolean {
  return /\.(csv|jsonl)$/i.test(path) && !TABLE.test(basename(path));
}

function isYoloNames(path: string): boolean {
  return preference(path) >= 0;
}

function preference(path: string): number {
  const name = basename(path).toLowerCase();
  const exact = YOLO_NAMES.indexOf(name);
  return exact >= 0 ? exact : YOLO_NAMES.indexOf(name.slice(Math.max(0, name.lastIndexOf('.'))));
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

import { readFile, stat } from 'node:fs/promises';
import { AppError } from '../../contract/errors.ts';
import { type Message, message } from '../../contract/messages.ts';
import { type AnnotationBox, type AnnotationItem, detected } from './annotation-row.ts';
import { readBeginning } from './read-beginning.ts';
import { isMediaList, readMediaList } from './read-media-list.ts';

/** Maximum size in bytes of a text file with one image's boxes or with names. */
const MAX_FILE_BYTES = 16 * 1024 * 1024;
/** Maximum distance outside the image, as a fraction of its size, that is attributed to rounding. */
const TOLERANCE = 0.001;
const BOX_VALUES = 4;
/** Number of bytes of a text file without an image that are checked for boxes. */
const BEGINNING_BYTES = 16 * 1024;
/** Matches a line with a class and the numbers of a box or an outline. */
const BOX_LINE = /^[ \t]*\d{1,9}([ \t]+[-+]?\d*\.?\d+(e[-+]?\d+)?){4,}[ \t]*\r?$/im;

export interface YoloFiles {
  path: string;
  names_paths: readonly string[];
  labels: { path: string; media_path: string | null; is_guess?: true }[];
}

/**
 * Reads YOLO labels, with one text file per image and one line per object: `class x_center y_center width height [confidence]`, or `class
 * x1 y1 x2 y2 x3 y3 …` for an outline, which is converted to its bounding box; all coordinates are fractions. Class ids are preserved;
 * without a names file a class is named `class_<id>`.
 * @param locate Returns the local path of a relative path.
 * @throws AppError `invalid_request` when the names cannot be read; AbortError.
 */
export async function* readYolo(
  files: YoloFiles,
  locate: (path: string) => string,
  signal: AbortSignal,
): AsyncGenerator<AnnotationItem[]> {
  const names = await readNames(files.names_paths, locate);
  const labelOf = (classId: number): string | undefined => (names === null ? `class_${classId}` : names.get(classId));
  for (const { path, media_path, is_guess } of files.labels) {
    signal.throwIfAborted();
    if (media_path === null || (is_guess && !(await hasBoxes(locate(path)))))
      yield await readUnmatched(path, locate(path));
    else yield await readOne(path, media_path, locate(path), labelOf);
  }
}

/** Returns the names of the first file that contains any; null for none. */
async function readNames(
  paths: readonly string[],
  locate: (path: string) => string,
): Promise<Map<number, string> | null> {
  for (const path of paths) {
    const text = await readSmall(locate(path));
    if (BOX_LINE.test(text)) continue;
    const { parseYoloNames } = await import('./yolo-names.ts');
    const names = parseYoloNames(path, text);
    if (names.size > 0) return names;
  }
  return null;
}

async function hasBoxes(localPath: string): Promise<boolean> {
  return BOX_LINE.test(await readBeginning(localPath, BEGINNING_BYTES).catch(() => ''));
}

/** Reads a text file without an image of its name: a list of images; otherwise it is reported, by whether it contains boxes. */
async function readUnmatched(source: string, localPath: string): Promise<AnnotationItem[]> {
  try {
    const beginning = await readBeginning(localPath, BEGINNING_BYTES);
    if (isMediaList(beginning, beginning.length < BEGINNING_BYTES)) {
      return readMediaList(source, await readSmall(localPath));
    }
    const isYolo = BOX_LINE.test(beginning);
    const reason = isYolo ? message('yolo_without_image') : message('text_format_unsupported');
    return [{ kind: 'problem', source, line: null, reason }];
  } catch (error) {
    return [unreadable(source, error)];
  }
}

async function readOne(
  source: string,
  mediaPath: string,
  localPath: string,
  labelOf: (classId: number) => string | undefined,
): Promise<AnnotationItem[]> {
  const reject = (line: number | null, reason: Message): AnnotationItem => ({ kind: 'problem', source, line, reason });
  let text: string;
  try {
    text = (await readSmall(localPath)).replace(/^\ufeff/, '');
  } catch (error) {
    return [unreadable(source, error)];
  }
  if (text.trim() === '') return [detected(source, 'YOLO')];
  if (!BOX_LINE.test(text)) return [reject(null, message('yolo_without_lines'))];
  const items: AnnotationItem[] = [detected(source, 'YOLO')];
  for (const [at, written] of text.split('\n').entries()) {
    const values = written.trim();
    if (values === '') continue;
    const line = at + 1;
    const [id = '', ...numbers] = values.split(/\s+/);
    const label = /^\d{1,9}$/.test(id) ? labelOf(Number(id)) : undefined;
    const box = toBox(numbers.map(Number));
    if (label === undefined) items.push(reject(line, message('class_unknown', { class: id.slice(0, 40) })));
    else if ('reason' in box) items.push(reject(line, box.reason));
    else {
      items.push({
        kind: 'object',
        source,
        line,
        file_key: mediaPath,
        label,
        class_id: Number(id),
        box,
        unit: 'fraction',
      });
    }
  }
  return items;
}

function unreadable(source: string, error: unknown): AnnotationItem {
  const reason = error instanceof AppError ? error.reason : message('annotation_file_unreadable');
  return { kind: 'problem', source, line: null, reason };
}

function toBox(values: number[]): AnnotationBox | { reason: Message } {
  const isBox = values.length === BOX_VALUES || values.length === BOX_VALUES + 1;
  if (!isBox && (values.length < 6 || values.length % 2 !== 0)) {
    return { reason: message('yolo_value_count', { n: values.length + 1 }) };
  }
  if (!values.every(Number.isFinite)) return { reason: message('value_not_number') };
  const places = isBox ? values.slice(0, BOX_VALUES) : values;
  if (isBox && ((places[2] ?? 0) <= 0 || (places[3] ?? 0) <= 0))
    return { reason: message('box_without_area_of', { width: places[2] ?? 0, height: places[3] ?? 0 }) };
  if (places.some((value) => value < -TOLERANCE || value > 1 + TOLERANCE)) {
    return { reason: message('value_not_fraction') };
  }
  const [left, top, right, bottom] = (isBox ? edgesOfBox(places) : edgesOfOutline(places)).map((edge) =>
    Math.min(1, Math.max(0, edge)),
  );
  if (
    left === undefined ||
    top === undefined ||
    right === undefined ||
    bottom === undefined ||
    right <= left ||
    bottom <= top
  ) {
    return { reason: message('box_without_area') };
  }
  return { x: left, y: top, width: right - left, height: bottom - top };
}

function edgesOfBox([x = 0, y = 0, width = 0, height = 0]: number[]): number[] {
  return [x - width / 2, y - height / 2, x + width / 2, y + height / 2];
}

function edgesOfOutline(places: number[]): number[] {
  const across = places.filter((_, at) => at % 2 === 0);
  const down = places.filter((_, at) => at % 2 === 1);
  const lowest = (values: number[]) => values.reduce((a, b) => Math.min(a, b));
  const highest = (values: number[]) => values.reduce((a, b) => Math.max(a, b));
  return [lowest(across), lowest(down), highest(across), highest(down)];
}

async function readSmall(path: string): Promise<string> {
  const { size } = await stat(path);
  if (size > MAX_FILE_BYTES) throw new AppError('invalid_request', message('annotation_text_too_large'));
  return readFile(path, 'utf8');
}

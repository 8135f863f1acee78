import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { type Message, message } from '../../contract/messages.ts';
import { readCsv } from '../manifests/read-csv.ts';
import { readText } from '../manifests/read-text.ts';
import { type AnnotationBox, type AnnotationItem, detected } from './annotation-row.ts';
import { itemsOfMetadata } from './hugging-face-row.ts';
import { namesClasses, OPEN_IMAGES, openImagesReader, readClassNames } from './open-images-table.ts';
import { boxBetween, hasArea } from './shapes.ts';

/** Maximum length in characters of a line of JSON. */
const MAX_LINE_CHARACTERS = 4 * 1024 * 1024;
const HUGGING_FACE = 'Hugging Face metadata';
/** Name of the table of RetinaNet that numbers the classes: `name,id`. The boxes name their classes themselves. */
const CLASS_LIST = /(class|label|categor|mapping)[^/]*\.csv$/i;
const MEDIA_NAME = /\.\w{2,5}$/;

export interface RowFile {
  format: 'csv' | 'jsonl';
  path: string;
}

type ReadRow = (line: number, values: readonly string[]) => AnnotationItem[];

/**
 * Reads annotations with one row per box or image: the tables of TensorFlow (`filename,width,height,class,xmin,ymin,xmax,ymax`),
 * RetinaNet (`path,x1,y1,x2,y2,class`, without a header) and Open Images, and `metadata.csv` and `metadata.jsonl` of Hugging Face image
 * folders. Tables that only list classes are recognised. Other tables yield nothing.
 * @param others Absolute paths of CSV files that may name the classes of Open Images.
 * @throws AppError `invalid_request` at the first line that cannot be read; AbortError.
 */
export async function* readRows(
  { format, path: source }: RowFile,
  path: string,
  others: readonly string[],
  signal: AbortSignal,
): AsyncGenerator<AnnotationItem[]> {
  if (format === 'jsonl') {
    yield* readJsonLines(source, path, signal);
    return;
  }
  let readRow: ReadRow | undefined;
  for await (const rows of readCsv(readText(createReadStream(path), 'table_not_text'), signal)) {
    let body = rows;
    if (readRow === undefined) {
      const [first] = rows;
      if (!first) continue;
      const found = tableOf(source, first.values) ?? (await openImagesOf(source, first.values, others, signal));
      if (found === undefined) return;
      readRow = found.readRow;
      yield [detected(source, found.format)];
      if (found.hasHeader) body = rows.slice(1);
    }
    const read = readRow;
    yield body.flatMap(({ line, values }) => read(line, values));
  }
}

/** Detects the format of a table by its first row. */
function tableOf(
  source: string,
  first: readonly string[],
): { format: string; readRow: ReadRow; hasHeader: boolean } | undefined {
  const names = first.map((name) => name.trim().toLowerCase());
  const at = (...accepted: string[]) => names.findIndex((name) => accepted.includes(name));
  const file = at('filename', 'file_name', 'image', 'image_path', 'path');
  const [label, xmin, ymin, xmax, ymax] = [
    at('class', 'label', 'name'),
    at('xmin', 'x1'),
    at('ymin', 'y1'),
    at('xmax', 'x2'),
    at('ymax', 'y2'),
  ];
  if ([file, label, xmin, ymin, xmax, ymax].every((place) => place >= 0)) {
    const places = [file, xmin, ymin, xmax, ymax, label];
    return {
      format: 'Table of corners (TensorFlow)',
      hasHeader: true,
      readRow: (line, values) =>
        cornerRow(
          source,
          line,
          places.map((place) => values[place] ?? ''),
        ),
    };
  }
  if (first.length === 6 && MEDIA_NAME.test(names[0] ?? '') && first.slice(1, 5).every(isNumberOrEmpty)) {
    return {
      format: 'Table of corners (RetinaNet)',
      hasHeader: false,
      readRow: (line, values) => cornerRow(source, line, values),
    };
  }
  const isClassList = CLASS_LIST.test(source) && first.length === 2 && /^\d+$/.test((first[1] ?? '').trim());
  if (isClassList) return { format: 'Table of corners (RetinaNet)', hasHeader: false, readRow: () => [] };
  const fileName = at('file_name');
  if (fileName < 0) return undefined;
  return {
    format: HUGGING_FACE,
    hasHeader: true,
    readRow: (line, values) => {
      const row = Object.fromEntries(names.map((name, place) => [name, values[place] ?? '']));
      return itemsOfMetadata(source, line, row);
    },
  };
}

async function openImagesOf(
  source: string,
  first: readonly string[],
  others: readonly string[],
  signal: AbortSignal,
): Promise<ReturnType<typeof tableOf>> {
  if (namesClasses(first)) return { format: OPEN_IMAGES, hasHeader: false, readRow: () => [] };
  const columns = first.map((name) => name.trim().toLowerCase());
  const named = new Map<string, string>();
  const readRow = openImagesReader(source, columns, (id) => named.get(id) ?? id);
  if (readRow === undefined) return undefined;
  for (const [id, name] of await readClassNames(others, signal)) named.set(id, name);
  return { format: OPEN_IMAGES, hasHeader: true, readRow };
}

function isNumberOrEmpty(text: string): boolean {
  return text.trim() === '' || Number.isFinite(Number(text));
}

/** Reads a row of RetinaNet: path, four corners and class; only the path for an image without objects. */
function cornerRow(source: string, line: number, values: readonly string[]): AnnotationItem[] {
  const [file = '', ...rest] = values.map((value) => value.trim());
  if (rest.every((value) => value === '')) return [];
  const label = rest[4] ?? '';
  if (file === '' || label === '') return [problem(source, line, message('row_without_file_or_class'))];
  const [left = Number.NaN, top = Number.NaN, right = Number.NaN, bottom = Number.NaN] = rest.slice(0, 4).map(Number);
  return [objectOf({ source, line, file_key: file }, label, boxBetween(left, top, right, bottom))];
}

async function* readJsonLines(source: string, path: string, signal: AbortSignal): AsyncGenerator<AnnotationItem[]> {
  let line = 0;
  let isDetected = false;
  for await (const text of createInterface({
    input: createReadStream(path, { signal }),
    crlfDelay: Number.POSITIVE_INFINITY,
  })) {
    line += 1;
    if (text.trim() === '') continue;
    const row = text.length > MAX_LINE_CHARACTERS ? undefined : parse(text);
    if (row === undefined) yield [problem(source, line, message('line_not_json'))];
    else if ('file_name' in row) {
      if (!isDetected) yield [detected(source, HUGGING_FACE)];
      isDetected = true;
      yield itemsOfMetadata(source, line, row);
    }
  }
}

function parse(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

function objectOf(
  place: { source: string; line: number; file_key: string },
  label: string,
  box: AnnotationBox | undefined,
  classId: number | null = null,
): AnnotationItem {
  if (box === undefined || !hasArea(box)) return problem(place.source, place.line, message('box_without_area'));
  return { kind: 'object', ...place, label, class_id: classId, box, unit: 'px' };
}

function problem(source: string, line: number, reason: Message): AnnotationItem {
  return { kind: 'problem', source, line, reason };
}

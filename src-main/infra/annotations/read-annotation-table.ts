import { type Message, message } from '../../contract/messages.ts';
import { type AnnotationItem, detected } from './annotation-row.ts';
import { parseLabels, plainText } from './parse-labels.ts';
import { readTable, type TableFile, type TableRow } from './read-table.ts';

const IMAGE_COLUMNS = ['filename', 'label', 'caption'];
const IMAGE_REQUIRED = [['filename'], ['label', 'caption']];
const OBJECT_COLUMNS = ['filename', 'label', 'col_x', 'row_y', 'width', 'height'];
const OBJECT_REQUIRED = OBJECT_COLUMNS.map((name) => [name]);

/**
 * Reads `image_annotations`: `filename,label[,caption]`, where the label may be a list. A table with captions but no labels is valid.
 * @throws AppError `invalid_request` when a column is missing or the file is no such table; AbortError.
 */
export async function* readImageTable(
  source: string,
  file: TableFile,
  signal: AbortSignal,
): AsyncGenerator<AnnotationItem[]> {
  for await (const rows of readTable(file, IMAGE_COLUMNS, IMAGE_REQUIRED, signal)) {
    yield [detected(source, 'Table of labels')];
    yield rows.flatMap((row) => imageItems(source, row));
  }
}

/**
 * Reads `object_annotations`: `filename,col_x,row_y,width,height,label`, one box per row, in pixels.
 * @throws AppError `invalid_request` when a column is missing or the file is no such table; AbortError.
 */
export async function* readObjectTable(
  source: string,
  file: TableFile,
  signal: AbortSignal,
): AsyncGenerator<AnnotationItem[]> {
  for await (const rows of readTable(file, OBJECT_COLUMNS, OBJECT_REQUIRED, signal)) {
    yield [detected(source, 'Table of boxes')];
    yield rows.map((row) => objectItem(source, row));
  }
}

function imageItems(source: string, row: TableRow): AnnotationItem[] {
  const { line, problem } = row;
  const reject = (reason: Message): AnnotationItem[] => [{ kind: 'problem', source, line, reason }];
  if (problem !== undefined) return reject(problem);
  const [name, label, words] = row.values;
  const fileKey = plainText(name).trim();
  if (fileKey === '') return reject(message('row_without_filename'));
  const items: AnnotationItem[] = parseLabels(label).map((one) => ({
    kind: 'image_label',
    source,
    line,
    file_key: fileKey,
    label: one,
    class_id: null,
  }));
  const caption = plainText(words).trim();
  if (caption !== '') items.push({ kind: 'caption', source, line, file_key: fileKey, caption });
  return items.length > 0 ? items : reject(message('row_without_label_or_caption'));
}

function objectItem(source: string, row: TableRow): AnnotationItem {
  const { line, problem } = row;
  const reject = (reason: Message): AnnotationItem => ({ kind: 'problem', source, line, reason });
  if (problem !== undefined) return reject(problem);
  const [name, labels, ...numbers] = row.values;
  const fileKey = plainText(name).trim();
  if (fileKey === '') return reject(message('row_without_filename'));
  const [label, ...more] = Array.isArray(labels) ? parseLabels(labels) : [plainText(labels).trim()];
  if (label === undefined || label === '') return reject(message('row_without_label'));
  if (more.length > 0) return reject(message('box_with_several_labels'));
  for (const [at, value] of numbers.entries()) {
    if (!Number.isFinite(toNumber(value))) {
      const column = OBJECT_COLUMNS[at + 2] ?? '';
      return reject(message('cell_not_number', { column, value: JSON.stringify(plainText(value)) }));
    }
  }
  const [x = 0, y = 0, width = 0, height = 0] = numbers.map(toNumber);
  if (width <= 0 || height <= 0) return reject(message('box_without_area_of', { width, height }));
  return {
    kind: 'object',
    source,
    line,
    file_key: fileKey,
    label,
    class_id: null,
    box: { x, y, width, height },
    unit: 'px',
  };
}

function toNumber(value: unknown): number {
  const text = plainText(value).trim();
  return text === '' ? Number.NaN : Number(text);
}

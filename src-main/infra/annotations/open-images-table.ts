import { createReadStream } from 'node:fs';
import { message } from '../../contract/messages.ts';
import { readCsv } from '../manifests/read-csv.ts';
import { readText } from '../manifests/read-text.ts';
import type { AnnotationItem } from './annotation-row.ts';
import { boxBetween, hasArea } from './shapes.ts';

export const OPEN_IMAGES = 'Open Images';
/** Matches a machine-readable id of a class, such as `/m/01g317`. */
const CLASS_ID = /^\/[a-z]+\/\w+$/;

/** Whether a row is the first of a table that names classes: `/m/01g317,Person`, or with the header `LabelName,DisplayName`. */
export function namesClasses(first: readonly string[]): boolean {
  const [id = '', name = ''] = first.map((value) => value.trim());
  if (first.length !== 2 || name === '') return false;
  return CLASS_ID.test(id) || (id.toLowerCase() === 'labelname' && name.toLowerCase() === 'displayname');
}

/** Returns the names of classes by id, from the tables among CSV files that name them. */
export async function readClassNames(paths: readonly string[], signal: AbortSignal): Promise<Map<string, string>> {
  const names = new Map<string, string>();
  for (const path of paths) {
    let isFirst = true;
    for await (const rows of readCsv(readText(createReadStream(path), 'table_not_text'), signal)) {
      if (isFirst && !namesClasses(rows[0]?.values ?? [])) break;
      isFirst = false;
      for (const { values } of rows) names.set((values[0] ?? '').trim(), (values[1] ?? '').trim());
    }
  }
  return names;
}

/**
 * Returns a reader of the rows of a table of boxes (`ImageID,Source,LabelName,Confidence,XMin,XMax,YMin,YMax,…`, fractions) or of labels
 * (without the corners); undefined for other tables. A class without a name keeps its id. Labels with confidence 0 were checked and do not
 * apply.
 * @param names Columns in lower case.
 * @param nameOf Returns the name of a class.
 */
export function openImagesReader(
  source: string,
  names: readonly string[],
  nameOf: (id: string) => string,
): ((line: number, values: readonly string[]) => AnnotationItem[]) | undefined {
  const at = (name: string) => names.indexOf(name);
  const [image, label, confidence] = [at('imageid'), at('labelname'), at('confidence')];
  if (image < 0 || label < 0) return undefined;
  const corners = ['xmin', 'ymin', 'xmax', 'ymax'].map(at);
  const hasBoxes = corners.every((place) => place >= 0);
  return (line, values) => {
    const valueAt = (place: number) => (place < 0 ? '' : (values[place] ?? '').trim());
    const [id, name] = [valueAt(image), nameOf(valueAt(label))];
    if (id === '' || name === '') {
      return [{ kind: 'problem', source, line, reason: message('row_without_file_or_class') }];
    }
    const said = valueAt(confidence);
    if (said !== '' && Number(said) === 0) return [];
    const sure = said === '' || !(Number(said) < 1) ? {} : { confidence: Number(said) };
    const row = { source, line, file_key: `${id}.jpg`, label: name, class_id: null, ...sure };
    if (!hasBoxes) return [{ kind: 'image_label', ...row }];
    const [left = Number.NaN, top = Number.NaN, right = Number.NaN, bottom = Number.NaN] = corners.map((place) =>
      Number(valueAt(place) || Number.NaN),
    );
    const box = boxBetween(left, top, right, bottom);
    if (box === undefined || !hasArea(box))
      return [{ kind: 'problem', source, line, reason: message('box_without_area') }];
    return [{ kind: 'object', ...row, box, unit: 'fraction' }];
  };
}

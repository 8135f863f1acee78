import { splitNamed } from '../../contract/folder-labels.ts';
import { mediaNames } from '../files/media-names.ts';
import type { AnnotationItem } from './annotation-row.ts';
import { detected } from './annotation-row.ts';
import { SPLIT_FIELD_DECLARATION } from './read-folder-labels.ts';

/** Whether a text is a list of images, one path per line, as Darknet's `train.txt`. @param beginning The last line may be cut. */
export function isMediaList(beginning: string, isWhole: boolean): boolean {
  const lines = linesOf(beginning);
  const complete = isWhole ? lines : lines.slice(0, -1);
  return complete.length > 0 && complete.every((line) => mediaNames.isImage(line));
}

/** Reads a list of images: a name such as `train.txt` or `valid.txt` gives the split of each. */
export function readMediaList(source: string, text: string): AnnotationItem[] {
  const format = detected(source, 'YOLO');
  const split = splitNamed(source.slice(source.lastIndexOf('/') + 1).replace(/\.txt$/i, ''));
  if (split === null) return [format];
  const { field_name, field_type } = SPLIT_FIELD_DECLARATION;
  return [
    format,
    { kind: 'field', source, line: null, field: SPLIT_FIELD_DECLARATION },
    ...text.split('\n').flatMap((line, at): AnnotationItem[] => {
      const path = line.trim();
      if (path === '') return [];
      return [{ kind: 'value', source, line: at + 1, file_key: path, field_name, field_type, value: split }];
    }),
  ];
}

function linesOf(text: string): string[] {
  return text
    .replace(/^\ufeff/, '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

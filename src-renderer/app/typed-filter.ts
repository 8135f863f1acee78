import type { MetadataField } from '../../src-main/contract/schemas/custom-metadata.ts';
import type { PlaceFilter } from '../lib/filters.ts';

/** What a typed filter compares: a range of numbers or dates, or a part of a text. */
interface Subject {
  /** Names by which it is typed, in lower case. */
  names: readonly string[];
  kind: 'number' | 'date' | 'text';
  range?(bounds: Bounds): PlaceFilter;
  contains?(text: string): PlaceFilter;
}

interface Bounds {
  from?: number | string;
  to?: number | string;
}

const RANGE = /^(.+?)\s*(?:(>=?|<=?|=|:)\s*(.+)|\s(\S+)\s*(?:\.\.|–)\s*(\S+))$/;

/** The subjects of a dataset: sizes, dates, names, folders, texts, and custom fields. @param nameOf The name of a subject in the page's language. */
export function subjectsOf(
  fields: readonly MetadataField[],
  nameOf: (subject: 'width' | 'height' | 'taken' | 'created' | 'file' | 'folder' | 'text') => string,
): Subject[] {
  const names = (subject: Parameters<typeof nameOf>[0]) => [subject, nameOf(subject).toLowerCase()];
  const between = (key: string) => (bounds: Bounds) => ({ [key]: { op: 'range', ...bounds } });
  const part = (key: string) => (text: string) => ({ [key]: { op: 'contains', value: [text] } });
  return [
    { names: names('width'), kind: 'number', range: between('width') },
    { names: names('height'), kind: 'number', range: between('height') },
    { names: names('taken'), kind: 'date', range: between('taken') },
    { names: names('created'), kind: 'date', range: between('created') },
    { names: names('file'), kind: 'text', contains: part('files') },
    { names: names('folder'), kind: 'text', contains: part('folders') },
    { names: names('text'), kind: 'text', contains: (text) => ({ text: { op: 'fts', value: text } }) },
    ...fields.map(({ field_name: field, field_type }): Subject => {
      const body = (test: object) => ({ metadata: { field, ...test } });
      const own = [field.toLowerCase()];
      if (field_type === 'float')
        return { names: own, kind: 'number', range: (bounds) => body({ op: 'range', ...bounds }) };
      if (field_type === 'datetime')
        return { names: own, kind: 'date', range: (bounds) => body({ op: 'range', ...bounds }) };
      return { names: own, kind: 'text', contains: (text) => body({ op: 'contains', value: [text] }) };
    }),
  ];
}

/** The filter that a text such as `width >= 1000`, `created 2024-01-01..2024-02-01` or `folder: trip` means; undefined for other texts. */
export function typedFilter(text: string, subjects: readonly Subject[]): PlaceFilter | undefined {
  const [, name = '', sign, value, first, last] = RANGE.exec(text.trim()) ?? [];
  const subject = subjects.find(({ names }) => names.includes(name.trim().toLowerCase()));
  if (subject === undefined) return undefined;
  if (subject.contains !== undefined) {
    return value !== undefined && (sign === ':' || sign === '=') ? subject.contains(value.trim()) : undefined;
  }
  const read = (bound: string, isEnd: boolean) => (subject.kind === 'number' ? Number(bound) : readDate(bound, isEnd));
  const bounds: Bounds = {};
  if (first !== undefined && last !== undefined) {
    bounds.from = read(first, false);
    bounds.to = read(last, true);
  } else if (value !== undefined) {
    if (sign?.startsWith('<') !== true) bounds.from = read(value.trim(), false);
    if (sign?.startsWith('>') !== true) bounds.to = read(value.trim(), true);
  }
  const isValid = Object.values(bounds).every((bound) => bound !== '' && !Number.isNaN(bound));
  return isValid && Object.keys(bounds).length > 0 ? subject.range?.(bounds) : undefined;
}

/** A date or time as an ISO datetime in UTC; the end of the day for the end of a range. Empty for other texts. */
function readDate(text: string, isEnd: boolean): string {
  if (!/^\d{4}-\d{2}-\d{2}/.test(text)) return '';
  const moment = new Date(text.length === 10 ? `${text}T${isEnd ? '23:59:59.999' : '00:00:00.000'}Z` : text);
  return Number.isNaN(moment.getTime()) ? '' : moment.toISOString();
}

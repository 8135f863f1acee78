import type { FieldType, MetadataField } from '../../../src-main/contract/schemas/custom-metadata.ts';
import { filterName, type PlaceFilter } from '../../lib/filters.ts';

/** Filters that can be added by a form, in its order. Custom fields follow. */
export const SUBJECT_NAMES = [
  ...(['labels', 'tags', 'folders', 'files', 'captions', 'issues', 'duplicates', 'uniqueness'] as const),
  ...(['width', 'height', 'taken', 'created'] as const),
] as const;
type SubjectName = (typeof SUBJECT_NAMES)[number];

/** Property that a filter compares: one that every item has, or a custom field. */
export type Subject = { name: SubjectName; field?: undefined } | { name: 'metadata'; field: MetadataField };

const WORDS = ['contains', 'one_of', 'starts_with', 'ends_with'] as const;
const NAMES = ['is', 'is_not'] as const;
const RANGE = ['range'] as const;
const OPERATORS = {
  labels: NAMES,
  tags: NAMES,
  folders: WORDS,
  files: WORDS,
  captions: WORDS,
  issues: ['in', 'out'],
  duplicates: ['duplicates'],
  uniqueness: ['uniqueness'],
  width: RANGE,
  height: RANGE,
  taken: RANGE,
  created: RANGE,
} as const satisfies Record<SubjectName, readonly string[]>;
const FIELD_OPERATORS = {
  string: ['contains', 'is'],
  link: ['contains', 'is'],
  float: ['gt', 'lt', 'eq', 'range'],
  datetime: RANGE,
  enum: ['is', 'one_of'],
} as const satisfies Record<FieldType, readonly string[]>;
export type Operator = (typeof OPERATORS)[SubjectName][number] | (typeof FIELD_OPERATORS)[FieldType][number];

/** The fields of a form: as typed, not yet a filter. */
export interface Draft {
  op: Operator;
  value: string;
  from: string;
  to: string;
  /** Chosen options of a custom field. */
  options: readonly string[];
  share: number;
}

export function operatorsOf({ name, field }: Subject): readonly Operator[] {
  return name === 'metadata' ? FIELD_OPERATORS[field.field_type] : OPERATORS[name];
}

/** The kind of field in which a value is entered. */
export function inputOf({ name, field }: Subject): 'text' | 'number' | 'date' | 'options' | 'share' | 'issue' | 'tag' {
  if (name === 'metadata') {
    return ({ float: 'number', datetime: 'date', enum: 'options', string: 'text', link: 'text' } as const)[
      field.field_type
    ];
  }
  if (name === 'width' || name === 'height') return 'number';
  if (name === 'taken' || name === 'created') return 'date';
  if (name === 'duplicates' || name === 'uniqueness') return 'share';
  return name === 'issues' ? 'issue' : name === 'tags' ? 'tag' : 'text';
}

/** The subject of a filter that a form can edit, with its single value or its bounds; undefined for other filters. */
export function subjectOf(filter: PlaceFilter, fields: readonly MetadataField[]): Subject | undefined {
  const name = filterName(filter);
  const body = filter[name] ?? {};
  if (name === 'metadata') {
    const field = fields.find(({ field_name }) => field_name === body.field);
    const isEditable = field !== undefined && operatorsOf({ name, field }).some((op) => op === body.op);
    return isEditable ? { name, field } : undefined;
  }
  const range = SUBJECT_NAMES.find((one) => one === name);
  return range !== undefined && body.op === 'range' ? { name: range } : undefined;
}

/** An empty draft of a subject, or one with the values of a filter. */
export function draftOf(subject: Subject, filter?: PlaceFilter): Draft {
  const { op, value, from, to } = filter?.[subject.name] ?? {};
  const operators = operatorsOf(subject);
  const isDate = inputOf(subject) === 'date';
  const bound = (one: unknown) => (isDate ? String(one ?? '').slice(0, 10) : String(one ?? ''));
  return {
    op: operators.find((one) => one === op) ?? operators[0] ?? 'is',
    value: [value ?? ''].flat().map(String).join(', '),
    from: bound(from),
    to: bound(to),
    options: inputOf(subject) === 'options' ? [value ?? []].flat().map(String) : [],
    share: subject.name === 'duplicates' ? 0.95 : 0.5,
  };
}

/** The filter of a draft; undefined until the draft is complete. */
export function filterOf(subject: Subject, draft: Draft): PlaceFilter | undefined {
  const { op, options, share } = draft;
  const { name, field } = subject;
  const input = inputOf(subject);
  const value = draft.value.trim();
  const about = field === undefined ? {} : { field: field.field_name };
  if (op === 'range') {
    const bounds = boundsOf(draft, input === 'number');
    return bounds && { [name]: { ...about, op, ...bounds } };
  }
  if (input === 'share') return { [name]: { op, value: share } };
  if (input === 'options') return options.length === 0 ? undefined : { [name]: { ...about, op, value: options } };
  if (value === '') return undefined;
  if (input === 'issue') return { issues: { op: 'issue', value, ...(op === 'out' && { mode: op }) } };
  if (input === 'number') return { [name]: { ...about, op, value: Number(value) } };
  return { [name]: { ...about, op, value: field === undefined ? [value] : value } };
}

function boundsOf({ from, to }: Draft, isNumber: boolean): Record<string, unknown> | undefined {
  if (from === '' && to === '') return undefined;
  const isOrdered = from === '' || to === '' || (isNumber ? Number(from) <= Number(to) : from <= to);
  if (!isOrdered) return undefined;
  return {
    ...(from !== '' && { from: isNumber ? Number(from) : from }),
    // A day includes all of its hours.
    ...(to !== '' && { to: isNumber ? Number(to) : `${to}T23:59:59.999Z` }),
  };
}

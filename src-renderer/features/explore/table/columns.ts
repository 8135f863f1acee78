import type { TFunction } from 'i18next';
import type { MetadataField, MetadataValue } from '../../../../src-main/contract/schemas/custom-metadata.ts';
import type { ExploredType } from '../../../../src-main/contract/schemas/explore.ts';
import type { ListedItem } from '../../../../src-main/contract/schemas/facets.ts';
import { formatBytes, formatCount, formatDateTime, formatMeasure, formatScore } from '../../../lib/format.ts';
import { itemName } from '../../../lib/item-name.ts';
import type { FlatSort } from '../../../lib/routes.ts';

/** A column of the table of items. */
export interface ItemColumn {
  /** `field:` and the name of a custom field, or the name of another field. */
  key: string;
  title: string;
  widthPx: number;
  isNumber?: boolean;
  /** Order of the rows by this column. */
  sort?: { flat: FlatSort; sortField?: string };
  /** What Enter edits. */
  edit?: 'tag' | 'label' | 'caption' | { field: MetadataField };
  /** Text of a cell. */
  text(item: ListedItem): string;
  /** Text for a spreadsheet: numbers without units. Default: the text of the cell. */
  plain?(item: ListedItem): string;
}

/** Columns that are hidden until somebody shows them. */
export const HIDDEN_AT_FIRST = ['modified', 'sharpness', 'uniqueness', 'cluster', 'source'];

/** Start of the key of a custom field's column. */
const OF_FIELD = 'field:';

/** All columns of a list, the name first. */
export function columnsOf(
  t: TFunction,
  { type, isScored, fields }: { type: ExploredType; isScored: boolean; fields: readonly MetadataField[] },
): ItemColumn[] {
  const ofObjects: ItemColumn[] = [
    {
      key: 'confidence',
      title: t('issues.confidence'),
      widthPx: 96,
      isNumber: true,
      sort: { flat: 'confidence' },
      text: ({ confidence }) => shown(confidence, formatScore),
      plain: ({ confidence }) => shown(confidence, String),
    },
    { key: 'source', title: t('table.source'), widthPx: 136, text: ({ details }) => details?.source ?? '' },
  ];
  const score: ItemColumn = {
    key: 'score',
    title: t('table.distance'),
    widthPx: 88,
    isNumber: true,
    text: ({ relevance_score }) => shown(relevance_score, formatScore),
    plain: ({ relevance_score }) => shown(relevance_score, String),
  };
  return [
    { key: 'name', title: t('table.name'), widthPx: 248, sort: { flat: 'file_name' }, text: itemName },
    ...(isScored ? [score] : []),
    {
      key: 'label',
      title: t('table.labels'),
      widthPx: 168,
      sort: { flat: 'label' },
      edit: 'label',
      text: ({ labels }) => labels?.join(', ') ?? '',
    },
    ...(type === 'OBJECTS' ? ofObjects : []),
    {
      key: 'issues',
      title: t('issues.title'),
      widthPx: 216,
      sort: { flat: 'issues' },
      text: ({ details }) =>
        (details?.issues ?? []).map((one) => `${issueWords(t, one)} ${formatScore(one.confidence)}`).join(', '),
    },
    {
      key: 'tag',
      title: t('table.tags'),
      widthPx: 152,
      sort: { flat: 'tag' },
      edit: 'tag',
      text: ({ user_tags }) => user_tags?.join(', ') ?? '',
    },
    {
      key: 'caption',
      title: t('table.caption'),
      widthPx: 232,
      sort: { flat: 'caption' },
      edit: 'caption',
      text: ({ caption }) => caption ?? '',
    },
    ...fields.map(ofField),
    {
      key: 'folder',
      title: t('table.folder'),
      widthPx: 176,
      sort: { flat: 'name' },
      text: ({ details }) => details?.file_path.slice(0, Math.max(0, details.file_path.lastIndexOf('/'))) ?? '',
    },
    {
      key: 'format',
      title: t('table.format'),
      widthPx: 80,
      sort: { flat: 'format' },
      text: ({ details }) => details?.format.toUpperCase() ?? '',
    },
    ofNumber('width', t('table.width'), ({ width }) => width, formatCount),
    ofNumber('height', t('table.height'), ({ height }) => height, formatCount),
    ofNumber('file_size', t('table.fileSize'), ({ details }) => details?.size_bytes, formatBytes),
    ofDate('created', t('flat.sorts.created'), ({ details }) => details?.created_at),
    ofDate('modified', t('flat.sorts.modified'), ({ details }) => details?.modified_at),
    ofNumber('quality', t('flat.sorts.quality'), ({ details }) => details?.sharpness, formatMeasure),
    ofNumber('uniqueness', t('flat.sorts.uniqueness'), ({ details }) => details?.uniqueness_score, formatScore),
    {
      key: 'cluster',
      title: t('table.cluster'),
      widthPx: 160,
      sort: { flat: 'cluster' },
      text: ({ details }) =>
        details?.cluster ? (details.cluster.name ?? t('table.clusterOf', { count: details.cluster.n_items })) : '',
    },
  ];
}

/** What an issue is called, with the label that a mislabel suggests. */
export function issueWords(
  t: TFunction,
  { issue_type, suggested_label }: NonNullable<ListedItem['details']>['issues'][number],
): string {
  const name = t(`issues.names.${issue_type}`);
  return suggested_label === null ? name : `${name} → ${suggested_label}`;
}

/** Rows as tab-separated values, as spreadsheets paste them. */
export function asTsv(columns: readonly ItemColumn[], items: readonly ListedItem[]): string {
  const cell = (text: string) => text.replace(/[\t\r\n]+/g, ' ');
  const rows = items.map((item) => columns.map(({ text, plain = text }) => cell(plain(item))));
  return [columns.map(({ title }) => cell(title)), ...rows].map((cells) => cells.join('\t')).join('\n');
}

function ofNumber(
  flat: FlatSort,
  title: string,
  readValue: (item: ListedItem) => number | null | undefined,
  format: (value: number) => string,
): ItemColumn {
  return {
    key: flat === 'quality' ? 'sharpness' : flat,
    title,
    widthPx: 92,
    isNumber: true,
    sort: { flat },
    text: (item) => shown(readValue(item), format),
    plain: (item) => shown(readValue(item), String),
  };
}

function ofDate(flat: FlatSort, title: string, readValue: (item: ListedItem) => string | undefined): ItemColumn {
  return {
    key: flat,
    title,
    widthPx: 160,
    sort: { flat },
    text: (item) => shown(readValue(item), formatDateTime),
    plain: (item) => readValue(item) ?? '',
  };
}

function ofField(field: MetadataField): ItemColumn {
  const { field_name, field_type } = field;
  const readValue = ({ details }: ListedItem) =>
    details?.custom_metadata.find((value) => value.field_name === field_name);
  return {
    key: `${OF_FIELD}${field_name}`,
    title: field_name,
    widthPx: field_type === 'float' ? 104 : 152,
    isNumber: field_type === 'float',
    sort: { flat: 'metadata', sortField: field_name },
    edit: { field },
    text: (item) => shown(readValue(item), valueWords),
    plain: (item) => shown(readValue(item), ({ value }) => [value].flat().join(', ')),
  };
}

function valueWords({ field_type, value }: MetadataValue): string {
  if (Array.isArray(value)) return value.join(', ');
  if (typeof value === 'number') return formatMeasure(value);
  return field_type === 'datetime' ? formatDateTime(value) : value;
}

function shown<T>(value: T | null | undefined, format: (value: T) => string): string {
  return value === null || value === undefined ? '' : format(value);
}

import { z } from 'zod';
import { name } from '../../contract/fields.ts';
import { type Message, message } from '../../contract/messages.ts';
import { FIELD_TYPES, MAX_ENUM_OPTIONS, MAX_OPTION_CHARS } from '../../contract/schemas/custom-metadata.ts';
import { ISSUES, SURE_OF_ISSUE } from '../../contract/schemas/issues.ts';
import type { AnnotationItem, AnnotationOrigin, AnnotationRow, MetadataField } from './annotation-row.ts';

/** Maximum length of the name of a person or model. */
const MAX_SOURCE_CHARS = 200;

/** An optional property: a value that cannot be used is ignored. */
const ignorable = <T extends z.ZodType>(type: T) => type.optional().catch(undefined);
const made = z.object({ source: ignorable(z.string().trim().min(1).max(MAX_SOURCE_CHARS)) });
const label = made.extend({ category_name: z.string().min(1), confidence: ignorable(z.number().min(0).max(1)) });
const metadataItems = z.array(z.object({ type: z.string(), properties: z.record(z.string(), z.unknown()) }));
const object = label.extend({
  // The label of an object that a person removed is exported as an empty text.
  category_name: z.string(),
  bbox: z.tuple([z.number(), z.number(), z.number().positive(), z.number().positive()]),
  metadata_items: ignorable(metadataItems),
});
const caption = made
  .extend({ caption: ignorable(z.string().min(1)), text: ignorable(z.string().min(1)) })
  .transform(({ caption: words, text, source }) => ({ text: words ?? text, source }));
const mediaItem = z.object({
  image_filename: z.string().min(1).optional(),
  file_path: z.string().min(1).optional(),
  file_name: z.string().min(1).optional(),
  metadata_items: metadataItems,
});
const tag = z.object({
  tag_name: z.string().trim().min(1).max(100),
  assigned_date: z.iso.date().or(z.iso.datetime({ local: true, offset: true })),
});
const issue = z.object({
  issue_type: z.enum(ISSUES),
  confidence: ignorable(z.number()),
  issues_description: ignorable(z.string().trim().min(1)),
});
/** Issues that another service found: hints, because issues are computed again. */
const IMPORTED_ISSUES: MetadataField = {
  field_name: 'imported_issues',
  field_type: 'enum',
  enum_options: [...ISSUES],
  is_multi: true,
};
/** The label that another service suggests for a mislabelled item. */
const SUGGESTED_LABEL: MetadataField = {
  field_name: 'imported_label_hint',
  field_type: 'string',
  enum_options: [],
  is_multi: false,
};
const ofField = z.object({ field_name: name, field_type: z.enum(FIELD_TYPES) });
const customValue = ofField.extend({ value: z.unknown() });
const declaration = ofField.extend({
  enum_options: z.array(z.string().min(1).max(MAX_OPTION_CHARS)).max(MAX_ENUM_OPTIONS),
  is_multi: z.boolean(),
});

/** The fields of each kind of row, without its position. */
type Content<Row extends AnnotationRow = AnnotationRow> = Row extends AnnotationRow
  ? Omit<Row, 'source' | 'line' | 'file_key' | 'or_file_key'>
  : never;
type Found = { content: Content } | { reason: Message } | undefined;

/**
 * Converts an entry of `media_items` of an export to rows: labels, boxes, captions, tags and values of custom fields. Issues are
 * computed again; those of the original service become values of the fields `imported_issues` and `imported_label_hint`. Other content
 * belongs to the original dataset and is ignored.
 */
export function itemsOfMedia(source: string, line: number, value: unknown): AnnotationItem[] {
  const item = mediaItem.safeParse(value);
  const file = item.success ? fileOf(item.data) : undefined;
  if (!item.success || !file) return [{ kind: 'problem', source, line, reason: message('item_without_image') }];
  const place = { source, line };
  const hints = item.data.image_filename === undefined ? hintsOf(item.data.metadata_items, place, file) : [];
  const others = item.data.metadata_items.flatMap((one): AnnotationItem[] => {
    const found = toContent(one);
    if (found === undefined) return [];
    if ('reason' in found) return [{ kind: 'problem', source, line, reason: found.reason }];
    return [{ source, line, ...file, ...found.content }];
  });
  return [...hints, ...others];
}

/** Returns the issues of an item as values of fields, each after the declaration of its field. */
function hintsOf(
  items: z.infer<typeof metadataItems>,
  place: AnnotationOrigin,
  file: { file_key: string; or_file_key?: string },
): AnnotationItem[] {
  const found = items
    .filter(({ type }) => type === 'issue')
    .flatMap(({ properties }) => issue.safeParse(properties).data ?? [])
    .filter(({ confidence = 1 }) => confidence >= SURE_OF_ISSUE);
  const fieldValue = (field: MetadataField, value: unknown): AnnotationItem[] => {
    const { field_name, field_type } = field;
    return [
      { kind: 'field', ...place, field },
      { kind: 'value', ...place, ...file, field_name, field_type, value },
    ];
  };
  const names = [...new Set(found.map(({ issue_type }) => issue_type))];
  const suggested = found.find(({ issue_type }) => issue_type === 'mislabels')?.issues_description;
  return [
    ...(names.length > 0 ? fieldValue(IMPORTED_ISSUES, names) : []),
    ...(suggested === undefined ? [] : fieldValue(SUGGESTED_LABEL, suggested)),
  ];
}

/**
 * Returns the names of an item's file. Exports of the original service have no `image_filename`; they state the path below the dataset's
 * root.
 */
function fileOf({ image_filename, file_path, file_name }: z.infer<typeof mediaItem>) {
  const [key, other] = [image_filename && `images/${image_filename}`, file_path, file_name].filter(
    (name) => name !== undefined,
  );
  if (key === undefined) return undefined;
  return { file_key: key, ...(other !== undefined && { or_file_key: other }) };
}

/** Converts an entry of `custom_fields` of an export. */
export function declaredField(source: string, line: number, declared: unknown): AnnotationItem {
  const { data } = declaration.safeParse(declared);
  if (data) return { kind: 'field', source, line, field: data };
  return { kind: 'problem', source, line, reason: message('field_incomplete') };
}

/** Converts a metadata item to a row; undefined for items that are not imported. */
function toContent({ type, properties }: z.infer<typeof mediaItem>['metadata_items'][number]): Found {
  if (type === 'image_label') {
    const { data } = label.safeParse(properties);
    return data
      ? { content: { kind: 'image_label', label: data.category_name, class_id: null, ...madeOf(data) } }
      : { reason: message('image_label_incomplete') };
  }
  if (type === 'object_label') {
    const { data } = object.safeParse(properties);
    if (!data) return { reason: message('object_label_incomplete') };
    const [x, y, width, height] = data.bbox;
    const box = { x, y, width, height };
    const described = (data.metadata_items ?? []).find((one) => one.type === 'caption');
    const words = described && caption.safeParse(described.properties).data;
    const own = words?.text === undefined ? {} : { caption: { text: words.text, ...madeOf(words) } };
    const content = { kind: 'object' as const, label: data.category_name, class_id: null, box, unit: 'px' as const };
    return { content: { ...content, ...madeOf(data), ...own } };
  }
  if (type === 'user_tag') {
    const { data } = tag.safeParse(properties);
    return data
      ? { content: { kind: 'tag', name: data.tag_name, assigned_at: data.assigned_date } }
      : { reason: message('user_tag_incomplete') };
  }
  if (type === 'custom_metadata') {
    const { data } = customValue.safeParse(properties);
    return data ? { content: { kind: 'value', ...data } } : { reason: message('custom_metadata_incomplete') };
  }
  if (type !== 'caption') return undefined;
  const { data } = caption.safeParse(properties);
  if (data?.text === undefined) return { reason: message('caption_without_words') };
  return { content: { kind: 'caption', caption: data.text, ...madeOf(data) } };
}

function madeOf({ source, confidence }: { source?: string | undefined; confidence?: number | undefined }) {
  return { ...(source !== undefined && { made_by: source }), ...(confidence !== undefined && { confidence }) };
}

import { createReadStream } from 'node:fs';
import { z } from 'zod';
import type { AnnotationItem, AnnotationRow } from './annotation-row.ts';
import { readJsonLists } from './json-lists.ts';

const CHUNK_BYTES = 1024 * 1024;

const mediaItem = z.object({
  image_filename: z.string().min(1),
  metadata_items: z.array(z.object({ type: z.string(), properties: z.record(z.string(), z.unknown()) })),
});
const label = z.object({ category_name: z.string().min(1) });
const object = label.extend({ bbox: z.tuple([z.number(), z.number(), z.number().positive(), z.number().positive()]) });
const caption = z.object({ caption: z.string().min(1) });

/** Of each kind what it has beside its place. */
type Words<Row extends AnnotationRow = AnnotationRow> = Row extends AnnotationRow
  ? Omit<Row, 'source' | 'line' | 'file_key'>
  : never;
type Said = { said: Words } | { reason: string } | undefined;

/**
 * The `metadata.json` of an export, which lies beside its folder `images` or in the folder that the dataset was made from: labels, boxes and
 * captions. What else it says, issues among it, is found out anew or is of the dataset that it came from.
 * @throws AppError `invalid_request` where it is broken; AbortError.
 */
export async function* readMetadata(
  source: string,
  path: string,
  signal: AbortSignal,
): AsyncGenerator<AnnotationItem[]> {
  const stream = createReadStream(path, { highWaterMark: CHUNK_BYTES });
  for await (const items of readJsonLists(stream, new Set(['media_items']), new Set())) {
    signal.throwIfAborted();
    yield items.flatMap(({ place: line, value }): AnnotationItem[] => {
      const item = mediaItem.safeParse(value);
      if (!item.success) return [{ kind: 'problem', source, line, reason: 'the item names no image' }];
      const fileKey = `images/${item.data.image_filename}`;
      return item.data.metadata_items.flatMap((one): AnnotationItem[] => {
        const found = whatIsSaid(one);
        if (found === undefined) return [];
        if ('reason' in found) return [{ kind: 'problem', source, line, reason: found.reason }];
        return [{ source, line, file_key: fileKey, ...found.said }];
      });
    });
  }
}

/** Undefined for what is not imported. */
function whatIsSaid({ type, properties }: z.infer<typeof mediaItem>['metadata_items'][number]): Said {
  if (type === 'image_label') {
    const { data } = label.safeParse(properties);
    return data
      ? { said: { kind: 'image_label', label: data.category_name, class_id: null } }
      : { reason: 'an image_label without a category_name' };
  }
  if (type === 'object_label') {
    const { data } = object.safeParse(properties);
    if (!data) return { reason: 'an object_label without a category_name or a bbox of four numbers' };
    const [x, y, width, height] = data.bbox;
    const box = { x, y, width, height };
    return { said: { kind: 'object', label: data.category_name, class_id: null, box, unit: 'px' } };
  }
  if (type !== 'caption') return undefined;
  const { data } = caption.safeParse(properties);
  return data ? { said: { kind: 'caption', caption: data.caption } } : { reason: 'a caption without words' };
}

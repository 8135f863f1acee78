import { createReadStream } from 'node:fs';
import { z } from 'zod';
import { AppError } from '../../contract/errors.ts';
import { type Message, message } from '../../contract/messages.ts';
import type { AnnotationItem } from './annotation-row.ts';
import { readJsonLists } from './json-lists.ts';
import { boxOfMask } from './mask-box.ts';

const CHUNK_BYTES = 1024 * 1024;
const mask = z.object({ size: z.array(z.number()), counts: z.union([z.string(), z.array(z.number())]) });

/**
 * Reads COCO annotations: objects with boxes in pixels and the declared ids of their categories, labels of whole images (a category without
 * box or outline) and captions. Reads the file twice, because its lists come in any order; memory contains the file names and categories.
 * @throws AppError `invalid_request` when it is not COCO; AbortError.
 */
export async function* readCoco(source: string, path: string, signal: AbortSignal): AsyncGenerator<AnnotationItem[]> {
  const images = new Map<unknown, string>();
  const categories = new Map<unknown, string>();
  const seen = new Set<string>();
  for await (const items of readLists(path, ['images', 'categories'], seen)) {
    signal.throwIfAborted();
    const problems: AnnotationItem[] = [];
    for (const { list, place, value } of items) {
      const { id, file_name, name } = fieldsOf(value);
      const text = list === 'images' ? file_name : name;
      if (isId(id) && typeof text === 'string' && text.trim() !== '') {
        (list === 'images' ? images : categories).set(id, text.trim());
      } else {
        const reason = message(list === 'images' ? 'coco_image_incomplete' : 'coco_category_incomplete');
        problems.push({ kind: 'problem', source, line: place, reason });
      }
    }
    if (problems.length > 0) yield problems;
  }
  if (!seen.has('images')) throw new AppError('invalid_request', message('coco_list_missing', { list: 'images' }));
  for await (const items of readLists(path, ['annotations'], seen)) {
    signal.throwIfAborted();
    yield items.map(({ place, value }) => toItem(source, place, value, images, categories));
  }
  if (!seen.has('annotations'))
    throw new AppError('invalid_request', message('coco_list_missing', { list: 'annotations' }));
}

function readLists(path: string, lists: string[], seen: Set<string>) {
  return readJsonLists(createReadStream(path, { highWaterMark: CHUNK_BYTES }), new Set(lists), seen);
}

function toItem(
  source: string,
  line: number,
  value: unknown,
  images: Map<unknown, string>,
  categories: Map<unknown, string>,
): AnnotationItem {
  const reject = (reason: Message): AnnotationItem => ({ kind: 'problem', source, line, reason });
  const { image_id, category_id, bbox, segmentation, caption } = fieldsOf(value);
  const fileKey = images.get(image_id);
  if (fileKey === undefined) return reject(message('image_id_unknown', { id: shown(image_id) }));
  if (typeof caption === 'string' && caption.trim() !== '') {
    return { kind: 'caption', source, line, file_key: fileKey, caption: caption.trim() };
  }
  const label = categories.get(category_id);
  if (label === undefined) return reject(message('category_id_unknown', { id: shown(category_id) }));
  const classId = typeof category_id === 'number' ? category_id : null;
  if (bbox === undefined || bbox === null) {
    if (segmentation !== undefined && segmentation !== null) {
      const { data } = mask.safeParse(segmentation);
      const ofMask = data && boxOfMask(data);
      if (!ofMask) return reject(message('coco_object_without_shape'));
      return { kind: 'object', source, line, file_key: fileKey, label, class_id: classId, box: ofMask, unit: 'px' };
    }
    return { kind: 'image_label', source, line, file_key: fileKey, label, class_id: classId };
  }
  const numbers: unknown[] = Array.isArray(bbox) ? bbox : [];
  const [x, y, width, height] = numbers;
  if (numbers.length !== 4 || !isNumber(x) || !isNumber(y) || !isNumber(width) || !isNumber(height)) {
    return reject(message('bbox_not_four_numbers', { value: shown(bbox) }));
  }
  if (width <= 0 || height <= 0) return reject(message('box_without_area_of', { width, height }));
  return {
    kind: 'object',
    source,
    line,
    file_key: fileKey,
    label,
    class_id: classId,
    box: { x, y, width, height },
    unit: 'px',
  };
}

function fieldsOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

function isId(id: unknown): id is number | string {
  return typeof id === 'number' || typeof id === 'string';
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}

function shown(value: unknown): string {
  return (JSON.stringify(value) ?? 'none').slice(0, 80);
}

import { createReadStream } from 'node:fs';
import { z } from 'zod';
import { AppError } from '../../contract/errors.ts';
import { type Message, message } from '../../contract/messages.ts';
import type { AnnotationBox, AnnotationItem } from './annotation-row.ts';
import { readJsonLists } from './json-lists.ts';
import { boxOfMask } from './mask-box.ts';
import { hasArea } from './shapes.ts';

/** Number of results per batch. */
const BATCH = 5000;

const result = z.object({
  image_id: z.union([z.number(), z.string()]),
  category_id: z.union([z.number(), z.string()]),
  bbox: z.tuple([z.number(), z.number(), z.number(), z.number()]).optional(),
  segmentation: z.object({ size: z.array(z.number()), counts: z.union([z.string(), z.array(z.number())]) }).optional(),
  score: z.number().min(0).max(1),
});

/** Whether a JSON document has COCO's format of detection results. */
export function isCocoResults(document: unknown): document is unknown[] {
  const first: unknown = Array.isArray(document) ? document[0] : undefined;
  return typeof first === 'object' && first !== null && 'image_id' in first && 'score' in first;
}

/**
 * Reads detection results in COCO's format: predictions with a confidence, whose images and categories are named by another COCO file.
 * @param others Absolute paths of JSON files; the first with the lists of images and categories is used.
 * @throws AbortError.
 */
export async function* readCocoResults(
  source: string,
  results: readonly unknown[],
  others: readonly string[],
  signal: AbortSignal,
): AsyncGenerator<AnnotationItem[]> {
  const names = await namesIn(others, signal);
  if (names === undefined) {
    const reason = message('coco_results_alone');
    yield [{ kind: 'problem', source, line: null, reason }];
    return;
  }
  for (let at = 0; at < results.length; at += BATCH) {
    signal.throwIfAborted();
    yield results.slice(at, at + BATCH).map((one, place) => itemOf(source, at + place + 1, one, names));
  }
}

interface Names {
  images: Map<unknown, string>;
  categories: Map<unknown, string>;
}

async function namesIn(paths: readonly string[], signal: AbortSignal): Promise<Names | undefined> {
  for (const path of paths) {
    signal.throwIfAborted();
    const names: Names = { images: new Map(), categories: new Map() };
    try {
      for await (const items of readJsonLists(createReadStream(path), new Set(['images', 'categories']), new Set())) {
        for (const { list, value } of items) {
          const { id, file_name, name } = value as Record<string, unknown>;
          if (list === 'images' && typeof file_name === 'string') names.images.set(id, file_name);
          if (list === 'categories' && typeof name === 'string') names.categories.set(id, name);
        }
      }
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      continue;
    }
    if (names.images.size > 0 && names.categories.size > 0) return names;
  }
  return undefined;
}

function itemOf(source: string, line: number, one: unknown, { images, categories }: Names): AnnotationItem {
  const reject = (reason: Message): AnnotationItem => ({ kind: 'problem', source, line, reason });
  const { data } = result.safeParse(one);
  if (!data) return reject(message('coco_result_incomplete'));
  const fileKey = images.get(data.image_id);
  if (fileKey === undefined) return reject(message('image_id_unknown', { id: String(data.image_id) }));
  const label = categories.get(data.category_id);
  if (label === undefined) return reject(message('category_id_unknown', { id: String(data.category_id) }));
  const box = boxOf(data);
  if (box === undefined || !hasArea(box)) return reject(message('box_without_area'));
  const classId = typeof data.category_id === 'number' ? data.category_id : null;
  const place = { source, line, file_key: fileKey };
  return { kind: 'object', ...place, label, class_id: classId, box, unit: 'px', confidence: data.score };
}

function boxOf({ bbox, segmentation }: z.infer<typeof result>): AnnotationBox | undefined {
  if (bbox === undefined) return segmentation && boxOfMask(segmentation);
  const [x, y, width, height] = bbox;
  return { x, y, width, height };
}

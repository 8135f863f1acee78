import { createReadStream } from 'node:fs';
import { AppError } from '../../contract/errors.ts';
import type { AnnotationItem } from './annotation-row.ts';
import { readJsonLists } from './json-lists.ts';
import { readBeginning } from './read-beginning.ts';
import { readCoco } from './read-coco.ts';

/** How much of a file is looked at to tell what it is. */
const BEGINNING_BYTES = 1024 * 1024;
/** Of each list of COCO what its items have. */
const COCO_FIELDS = new Map([
  ['images', 'file_name'],
  ['annotations', 'image_id'],
]);
/** Keys of the common formats of annotations. */
const ANNOTATION_KEYS =
  /"(annotations?|image_id|bbox(es)?|bounding_?box(es)?|segmentation|shapes|_via_img_metadata)"\s*:/i;

/**
 * COCO in a JSON file of any name. What looks like annotations in another format is a problem; a file about something else is passed over.
 * @throws AppError `invalid_request` where COCO is broken; AbortError; whatever the file system says.
 */
export async function* readJson(source: string, path: string, signal: AbortSignal): AsyncGenerator<AnnotationItem[]> {
  if (await beginsAsCoco(path)) {
    yield* readCoco(source, path, signal);
    return;
  }
  if (!ANNOTATION_KEYS.test(await readBeginning(path, BEGINNING_BYTES))) return;
  yield [{ kind: 'problem', source, line: null, reason: 'the file looks like annotations, but it is not COCO' }];
}

async function beginsAsCoco(path: string): Promise<boolean> {
  const beginning = createReadStream(path, { end: BEGINNING_BYTES - 1 });
  try {
    for await (const items of readJsonLists(beginning, new Set(COCO_FIELDS.keys()), new Set())) {
      if (items.some(({ list, value }) => has(value, COCO_FIELDS.get(list) ?? ''))) return true;
    }
    return false;
  } catch (error) {
    // Either no JSON or longer than what was looked at.
    if (error instanceof AppError) return false;
    throw error;
  } finally {
    beginning.destroy();
  }
}

function has(value: unknown, field: string): boolean {
  return typeof value === 'object' && value !== null && field in value;
}

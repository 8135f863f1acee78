import { createReadStream } from 'node:fs';
import { AppError } from '../../contract/errors.ts';
import type { AnnotationItem } from './annotation-row.ts';
import { readJsonLists } from './json-lists.ts';
import { readBeginning } from './read-beginning.ts';
import { readCoco } from './read-coco.ts';
import { readMetadata } from './read-metadata.ts';

/** How much of a file is looked at to tell what it is. */
const BEGINNING_BYTES = 1024 * 1024;
type Format = 'coco' | 'metadata';
/** Of each list what its items have. */
const FIELDS = new Map<string, { field: string; format: Format }>([
  ['images', { field: 'file_name', format: 'coco' }],
  ['annotations', { field: 'image_id', format: 'coco' }],
  ['media_items', { field: 'metadata_items', format: 'metadata' }],
]);
/** Keys of the common formats of annotations. */
const ANNOTATION_KEYS =
  /"(annotations?|image_id|bbox(es)?|bounding_?box(es)?|segmentation|shapes|_via_img_metadata)"\s*:/i;

/**
 * COCO, or the metadata of an export, in a JSON file of any name. What looks like annotations in another format is a problem; a file about something else is passed over.
 * @throws AppError `invalid_request` where COCO is broken; AbortError; whatever the file system says.
 */
export async function* readJson(source: string, path: string, signal: AbortSignal): AsyncGenerator<AnnotationItem[]> {
  const format = await formatOf(path);
  if (format !== undefined) {
    yield* format === 'coco' ? readCoco(source, path, signal) : readMetadata(source, path, signal);
    return;
  }
  if (!ANNOTATION_KEYS.test(await readBeginning(path, BEGINNING_BYTES))) return;
  yield [{ kind: 'problem', source, line: null, reason: 'the file looks like annotations, but it is not COCO' }];
}

/** What a file begins as. */
async function formatOf(path: string): Promise<Format | undefined> {
  const beginning = createReadStream(path, { end: BEGINNING_BYTES - 1 });
  try {
    for await (const items of readJsonLists(beginning, new Set(FIELDS.keys()), new Set())) {
      const [known] = items.flatMap(({ list, value }) => {
        const of = FIELDS.get(list);
        return of && has(value, of.field) ? [of.format] : [];
      });
      if (known !== undefined) return known;
    }
    return undefined;
  } catch (error) {
    // Either no JSON or longer than what was looked at.
    if (error instanceof AppError) return undefined;
    throw error;
  } finally {
    beginning.destroy();
  }
}

function has(value: unknown, field: string): boolean {
  return typeof value === 'object' && value !== null && field in value;
}

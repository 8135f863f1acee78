import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { AppError } from '../../contract/errors.ts';
import { message } from '../../contract/messages.ts';
import { type AnnotationItem, detected } from './annotation-row.ts';
import { JSON_FORMATS } from './json-formats.ts';
import { readJsonLists } from './json-lists.ts';
import { readBeginning } from './read-beginning.ts';
import { readCoco } from './read-coco.ts';
import { isCocoResults, readCocoResults } from './read-coco-results.ts';
import { readMetadata } from './read-metadata.ts';

/** Number of bytes from the start of a file that are read to detect its format. */
const BEGINNING_BYTES = 1024 * 1024;
/** Maximum size of a document that is parsed as a whole; COCO and exports are read as streams. */
const MAX_DOCUMENT_BYTES = 64 * 1024 * 1024;
type Format = 'coco' | 'metadata';
/** By name of the list: a field of its items, and the format that it indicates. */
const FIELDS = new Map<string, { field: string; format: Format }>([
  ['images', { field: 'file_name', format: 'coco' }],
  ['annotations', { field: 'image_id', format: 'coco' }],
  ['media_items', { field: 'metadata_items', format: 'metadata' }],
]);
/** Keys of the common formats of annotations. */
const ANNOTATION_KEYS =
  /"(annotations?|annotation_id|image_id|bbox(es)?|bounding_?box(es)?|segmentation|shapes|regions|detections|_cls|sample_fields|_via_img_metadata)"\s*:/i;

/**
 * Reads annotations of any known format from a JSON file of any name. A file that resembles annotations in an unknown format is reported as
 * a problem; other files yield nothing.
 * @param others Absolute paths of the other JSON files, in which COCO results find their images.
 * @throws AppError `invalid_request` for broken COCO; AbortError; errors of the file system.
 */
export async function* readJson(
  { path: source, is_named: isNamed }: { path: string; is_named: boolean },
  path: string,
  others: readonly string[],
  signal: AbortSignal,
): AsyncGenerator<AnnotationItem[]> {
  const format = await formatOf(path);
  if (format !== undefined) {
    yield [detected(source, format === 'coco' ? 'COCO' : 'Export')];
    yield* format === 'coco' ? readCoco(source, path, signal) : readMetadata(source, path, signal);
    return;
  }
  const { size } = await stat(path);
  if (isNamed && size > MAX_DOCUMENT_BYTES) {
    yield* readCoco(source, path, signal);
    return;
  }
  if (!isNamed && !ANNOTATION_KEYS.test(await readBeginning(path, BEGINNING_BYTES))) return;
  const document = await parseWhole(path);
  if (isCocoResults(document)) {
    yield [detected(source, 'COCO results')];
    yield* readCocoResults(source, document, others, signal);
    return;
  }
  const known = JSON_FORMATS.find((one) => one.fits(document));
  if (known) yield [detected(source, known.name), ...known.read(source, document)];
  else if (isNamed) yield* readCoco(source, path, signal);
  else {
    const reason = message('annotation_format_unsupported');
    yield [{ kind: 'problem', source, line: null, reason }];
  }
}

/** Parses a whole file; undefined for a file that is not JSON. @throws AppError `invalid_request` for a file that is too large. */
async function parseWhole(path: string): Promise<unknown> {
  const { size } = await stat(path);
  if (size > MAX_DOCUMENT_BYTES) throw new AppError('invalid_request', message('annotation_file_too_large'));
  try {
    return JSON.parse((await readFile(path, 'utf8')).replace(/^\ufeff/, ''));
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Detects the format of a file by its start. */
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
    // The file is either not JSON or longer than the part that was read.
    if (error instanceof AppError) return undefined;
    throw error;
  } finally {
    beginning.destroy();
  }
}

function has(value: unknown, field: string): boolean {
  return typeof value === 'object' && value !== null && field in value;
}

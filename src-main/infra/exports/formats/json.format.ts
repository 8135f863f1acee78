import type { ExportSource } from '../export-source.ts';
import { mediaItems } from '../media-items.ts';
import { addImages, type Format } from './format.ts';

/** `metadata.json` in the format that the API's clients read. */
export const jsonFormat: Format = {
  passes: ({ include_images }) => (include_images ? 2 : 1),
  write: async (source, output) => {
    await output.zip.add('metadata.json', metadataJson(source));
    await addImages(source, output);
  },
};

/** The text of `metadata.json`, in chunks. */
export async function* metadataJson(source: ExportSource): AsyncGenerator<string> {
  const fields = source.customFields;
  yield `{"info":${JSON.stringify(source.info)},`;
  // Vitrine's own field: an import uses it to declare the custom fields again.
  if (fields.length > 0) yield `"custom_fields":${JSON.stringify(fields)},`;
  yield '"media_items":';
  yield* jsonList(mediaItems(source));
  yield '}';
}

/** A JSON array of items that are given in pages. */
export async function* jsonList(pages: AsyncIterable<readonly unknown[]>): AsyncGenerator<string> {
  let separator = '[';
  for await (const page of pages) {
    if (page.length === 0) continue;
    yield separator + page.map((value) => JSON.stringify(value)).join(',');
    separator = ',';
  }
  yield separator === '[' ? '[]' : ']';
}

import type { ExportSource } from '../export-source.ts';
import { mediaItems } from '../media-items.ts';
import { addImages, type Format } from './format.ts';

/** `metadata.json` as the interface's clients read it. */
export const jsonFormat: Format = {
  passes: ({ include_images }) => (include_images ? 2 : 1),
  write: async (source, output) => {
    await output.zip.add('metadata.json', metadataJson(source));
    await addImages(source, output);
  },
};

/** The text of `metadata.json`, piece by piece. */
export async function* metadataJson(source: ExportSource): AsyncGenerator<string> {
  const fields = source.customFields;
  yield `{"info":${JSON.stringify(source.info)},`;
  // Ours: what an import needs to declare them again.
  if (fields.length > 0) yield `"custom_fields":${JSON.stringify(fields)},`;
  yield '"media_items":';
  yield* jsonList(mediaItems(source));
  yield '}';
}

/** A JSON array of what comes in pages. */
export async function* jsonList(pages: AsyncIterable<readonly unknown[]>): AsyncGenerator<string> {
  let separator = '[';
  for await (const page of pages) {
    if (page.length === 0) continue;
    yield separator + page.map((value) => JSON.stringify(value)).join(',');
    separator = ',';
  }
  yield separator === '[' ? '[]' : ']';
}

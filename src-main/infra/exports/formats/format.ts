import type { ExportSource, SourceItem } from '../export-source.ts';
import type { ZipOutput } from '../zip-file.ts';

/** Target of an export. */
export interface ExportOutput {
  zip: ZipOutput;
  /** Adds the original of an item if images are exported. Items whose files are missing are counted and skipped. */
  addImage(item: SourceItem, path: string): Promise<void>;
}

/** An export format. It writes the items of a source, entry by entry. */
export interface Format {
  /** Number of passes over all items, including the pass that adds the images. */
  passes(options: { include_images: boolean }): number;
  write(source: ExportSource, output: ExportOutput): Promise<void>;
}

/** Adds the originals of all items below `images/`, with a folder for each set. */
export async function addImages(source: ExportSource, output: ExportOutput): Promise<void> {
  if (!source.request.include_images) return;
  for await (const item of source.items()) await output.addImage(item, imagePath(item));
}

/** Path of an original in the ZIP. */
export function imagePath({ split, image_filename }: Pick<SourceItem, 'split' | 'image_filename'>): string {
  return split === null ? `images/${image_filename}` : `images/${split}/${image_filename}`;
}

import type { ExportSource, SourceItem } from '../export-source.ts';
import type { ZipOutput } from '../zip-file.ts';

/** What an export is written to. */
export interface ExportOutput {
  zip: ZipOutput;
  /** Adds the original of an item where images are wanted; those whose files are gone are counted and passed over. */
  addImage(item: SourceItem, path: string): Promise<void>;
}

/** A format writes what it has of a source, entry by entry. */
export interface Format {
  /** How often it passes over all items, images beside them included. */
  passes(options: { include_images: boolean }): number;
  write(source: ExportSource, output: ExportOutput): Promise<void>;
}

/** Adds the originals of all items below `images/`, each set in a folder of its own. */
export async function addImages(source: ExportSource, output: ExportOutput): Promise<void> {
  if (!source.request.include_images) return;
  for await (const item of source.items()) await output.addImage(item, imagePath(item));
}

/** Where an original is in the ZIP. */
export function imagePath({ split, image_filename }: Pick<SourceItem, 'split' | 'image_filename'>): string {
  return split === null ? `images/${image_filename}` : `images/${split}/${image_filename}`;
}

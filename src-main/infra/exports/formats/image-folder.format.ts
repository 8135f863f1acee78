import { safeFileName } from '../../../contract/file-name.ts';
import { createUniquePaths } from '../../archives/unique-paths.ts';
import type { ExportSource, SourceItem } from '../export-source.ts';
import type { Format } from './format.ts';

/** The folder of items that have no label. */
const NO_LABEL = 'Unlabeled';

/** A folder for each class with the images of it, each set in a folder above: what classifiers are trained from. */
export const imageFolderFormat: Format = {
  passes: () => 1,
  write: async (source, output) => {
    const folders = foldersOf(source);
    const unique = createUniquePaths();
    for await (const item of source.items(['labels'])) {
      const folder = folders.get(labelOf(item)) ?? NO_LABEL;
      const name = item.image_filename.slice(item.image_filename.lastIndexOf('/') + 1);
      await output.addImage(item, unique([item.split, folder, name].filter((part) => part !== null).join('/')));
    }
  },
};

/** An image has one class here: what a person says, else what annotations say, else what a model is surest of. */
function labelOf({ labels }: SourceItem<'labels'>): string {
  return labels[0]?.label ?? NO_LABEL;
}

/** Names that differ in nothing but what file systems cannot tell apart get numbers. */
function foldersOf({ classes }: ExportSource): Map<string, string> {
  const taken = new Set([NO_LABEL.toLowerCase()]);
  return new Map(
    classes.list.map(({ label }) => {
      const name = safeFileName(label) || '_';
      let folder = name;
      for (let n = 2; taken.has(folder.toLowerCase()) && label !== NO_LABEL; n += 1) folder = `${name} (${n})`;
      taken.add(folder.toLowerCase());
      return [label, folder];
    }),
  );
}

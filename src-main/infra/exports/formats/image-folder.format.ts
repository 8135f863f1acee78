import { safeFileName } from '../../../contract/file-name.ts';
import { createUniquePaths } from '../../archives/unique-paths.ts';
import type { ExportSource, SourceItem } from '../export-source.ts';
import type { Format } from './format.ts';

/** Folder of items without a label. */
const NO_LABEL = 'Unlabeled';

/** One folder per class with its images, below a folder for each set: the layout that classifiers are trained from. */
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

/**
 * The single class of an image: the label set by a person, otherwise by annotations, otherwise the model's label with the highest
 * confidence.
 */
function labelOf({ labels }: SourceItem<'labels'>): string {
  return labels[0]?.label ?? NO_LABEL;
}

/** Folder names by class. Names that file systems cannot distinguish get numbers. */
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

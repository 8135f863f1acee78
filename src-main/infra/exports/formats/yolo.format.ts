import type { ExportSource, SourceItem } from '../export-source.ts';
import { addImages, type Format, imagePath } from './format.ts';

/** Decimal digits of coordinates, which are fractions of the image size: the error is less than a pixel of any real image. */
const DIGITS = 7;

/** YOLO: `data.yaml`, and for each image in `images/` a text file of the same name in `labels/`. */
export const yoloFormat: Format = {
  passes: ({ include_images }) => (include_images ? 2 : 1),
  write: async (source, output) => {
    await output.zip.addText('data.yaml', dataYaml(source));
    await addImages(source, output);
    for await (const item of source.items(['objects'])) {
      await output.zip.addText(labelPath(item), labelLines(item, source));
    }
  },
};

function dataYaml({ splits, classes }: ExportSource): string {
  const sets =
    splits.length === 0 ? ['train: images', 'val: images'] : splits.map((split) => `${split}: images/${split}`);
  const names = classes.list.map(({ label, index }) => `  ${index}: ${JSON.stringify(label)}`);
  return `${['path: .', ...sets, `nc: ${names.length}`, names.length === 0 ? 'names: {}' : 'names:', ...names].join('\n')}\n`;
}

function labelPath(item: SourceItem): string {
  const path = imagePath(item).replace(/^images\//, 'labels/');
  const dot = path.lastIndexOf('.');
  return `${dot > path.lastIndexOf('/') ? path.slice(0, dot) : path}.txt`;
}

function labelLines({ objects, width, height }: SourceItem<'objects'>, { classes }: ExportSource): string {
  const lines = objects.flatMap(({ label, box, is_sure }) => {
    const found = is_sure ? classes.find(label) : undefined;
    if (!found) return [];
    const places = [
      (box.x + box.width / 2) / width,
      (box.y + box.height / 2) / height,
      box.width / width,
      box.height / height,
    ];
    return [`${[found.index, ...places.map((place) => place.toFixed(DIGITS))].join(' ')}\n`];
  });
  return lines.join('');
}

import type { SplitName } from '../../../contract/schemas/export.ts';
import type { ExportSource, SourceItem } from '../export-source.ts';
import { addImages, type Format, imagePath } from './format.ts';
import { jsonList } from './json.format.ts';

/** Kinds of COCO files. Boxes, captions and labels of whole images have different fields, so each has a file of its own. */
const KINDS = {
  annotations: (source, split) => annotations(source.pages(['objects'], split), (item) => boxesOf(item, source)),
  captions: (source, split) => annotations(source.pages(['captions'], split), captionsOf),
  labels: (source, split) => annotations(source.pages(['labels'], split), (item) => labelsOf(item, source)),
} as const satisfies Record<string, (source: ExportSource, split: SplitName | null) => AsyncIterable<object[]>>;
type Kind = keyof typeof KINDS;

/**
 * COCO: `annotations.json` with boxes, `captions.json`, and `labels.json` with the labels of whole images; with sets
 * `annotations_train.json`
 * and so on. Paths are relative to these files or, without images, to the root of the dataset.
 */
export const cocoFormat: Format = {
  // Every file needs two passes: the images, then their annotations.
  passes: ({ include_images }) => 2 * Object.keys(KINDS).length + (include_images ? 1 : 0),
  write: async (source, output) => {
    const sets = source.splits.length === 0 ? [null] : source.splits;
    for (const kind of Object.keys(KINDS) as Kind[]) {
      for (const split of sets) {
        const name = split === null ? `${kind}.json` : `${kind}_${split}.json`;
        await output.zip.add(name, cocoJson(source, kind, split));
      }
    }
    await addImages(source, output);
  },
};

async function* cocoJson(source: ExportSource, kind: Kind, split: SplitName | null): AsyncGenerator<string> {
  const { dataset, description, export_time, exported_by, dataset_url } = source.info;
  const info = {
    description: description === '' ? dataset : description,
    url: dataset_url,
    version: '1.0',
    year: Number(export_time.slice(0, 4)),
    contributor: exported_by,
    date_created: export_time,
  };
  yield `{"info":${JSON.stringify(info)},"licenses":[],"images":`;
  yield* jsonList(images(source, split));
  yield ',"annotations":';
  yield* jsonList(KINDS[kind](source, split));
  const categories = source.classes.list.map(({ label, id: categoryId }) => ({
    id: categoryId,
    name: label,
    supercategory: '',
  }));
  yield kind === 'captions' ? '}' : `,"categories":${JSON.stringify(categories)}}`;
}

async function* images(source: ExportSource, split: SplitName | null): AsyncGenerator<object[]> {
  for await (const page of source.pages([], split)) {
    yield page.map((item) => cocoImage(item, source.request.include_images));
  }
}

/** Annotations are numbered from 1. */
async function* annotations<Item extends SourceItem>(
  pages: AsyncIterable<Item[]>,
  toRows: (item: Item) => object[],
): AsyncGenerator<object[]> {
  let id = 0;
  for await (const page of pages) {
    yield page.flatMap((item) =>
      toRows(item).map((annotation) => {
        id += 1;
        return { id, image_id: imageId(item), ...annotation };
      }),
    );
  }
}

function imageId({ row }: SourceItem): number {
  return row + 1;
}

function cocoImage(item: SourceItem, isBeside: boolean) {
  return {
    id: imageId(item),
    file_name: isBeside ? imagePath(item) : item.file_path,
    width: item.width,
    height: item.height,
    date_captured: item.created_at,
  };
}

function boxesOf({ objects }: SourceItem<'objects'>, { classes }: ExportSource) {
  return objects.flatMap(({ label, box, is_sure }) => {
    const category = is_sure ? classes.find(label) : undefined;
    if (!category) return [];
    const { x, y, width, height } = box;
    return [
      { category_id: category.id, bbox: [x, y, width, height], area: width * height, segmentation: [], iscrowd: 0 },
    ];
  });
}

function captionsOf({ captions }: SourceItem<'captions'>) {
  return captions.map(({ caption }) => ({ caption }));
}

function labelsOf({ labels }: SourceItem<'labels'>, { classes }: ExportSource) {
  const own = new Set(labels.map(({ label }) => label));
  return [...own].flatMap((label) => {
    const category = classes.find(label);
    return category ? [{ category_id: category.id }] : [];
  });
}

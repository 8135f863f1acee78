import type { ExportSource, SourceItem } from '../export-source.ts';
import { type Cell, table } from './csv-table.ts';
import { addImages, type Format, imagePath } from './format.ts';

/**
 * CSV: `metadata.csv` has one row per item; `image_annotations.csv` and `object_annotations.csv` have the format in which they are imported
 * beside media. Lists in a cell are JSON. File names are relative to the tables or, without images, to the root of the dataset.
 */
export const csvFormat: Format = {
  passes: ({ include_images }) => 3 + (include_images ? 1 : 0),
  write: async (source, output) => {
    await output.zip.add(
      'metadata.csv',
      table(source.pages(ITEM_PARTS), ITEM_COLUMNS, (item) => [itemRow(item, nameOf(item, source))]),
    );
    await output.zip.add(
      'image_annotations.csv',
      table(source.pages(['labels', 'captions']), ['filename', 'label', 'caption'], (item) =>
        annotationRows(item, nameOf(item, source)),
      ),
    );
    await output.zip.add(
      'object_annotations.csv',
      table(source.pages(['objects']), ['filename', 'col_x', 'row_y', 'width', 'height', 'label'], (item) =>
        boxRows(item, nameOf(item, source)),
      ),
    );
    await addImages(source, output);
  },
};

/** A CSV with file names and media ids only. */
export function mediaIdsCsv(source: ExportSource): AsyncGenerator<string> {
  return table(source.plainPages(), ['filename', 'media_id'], ({ file_path, media_id }) => [[file_path, media_id]]);
}

const ITEM_COLUMNS = [
  'filename',
  'media_id',
  'media_type',
  'file_path',
  'width',
  'height',
  'size_bytes',
  'created_at',
  'uniqueness_score',
  'cluster_id',
  'split',
  'labels',
  'tags',
  'captions',
  'issues',
] as const;

const ITEM_PARTS = ['uniqueness_score', 'cluster_id', 'labels', 'tags', 'captions', 'issues'] as const;

function itemRow(item: SourceItem<(typeof ITEM_PARTS)[number]>, filename: string): Cell[] {
  const cells: Record<(typeof ITEM_COLUMNS)[number], Cell> = {
    filename,
    media_id: item.media_id,
    media_type: item.media_type,
    file_path: item.file_path,
    width: item.width,
    height: item.height,
    size_bytes: item.size_bytes,
    created_at: item.created_at,
    uniqueness_score: item.uniqueness_score,
    cluster_id: item.cluster_id,
    split: item.split,
    labels: list(item.labels.map(({ label }) => label)),
    tags: list(item.tags.map(({ name }) => name)),
    captions: list(item.captions.map(({ caption }) => caption)),
    issues: list(item.issues.map(({ issue }) => issue)),
  };
  return ITEM_COLUMNS.map((name) => cells[name]);
}

/** One row with the labels and the first caption, then one row for each further caption. */
function annotationRows({ labels, captions }: SourceItem<'labels' | 'captions'>, filename: string): Cell[][] {
  const own = list(labels.map(({ label }) => label));
  const [first, ...others] = captions.map(({ caption }) => caption);
  if (labels.length === 0 && first === undefined) return [];
  return [[filename, own, first ?? null], ...others.map((caption) => [filename, null, caption])];
}

function boxRows({ objects }: SourceItem<'objects'>, filename: string): Cell[][] {
  return objects
    .filter(({ label, is_sure }) => is_sure && label !== '')
    .map(({ box, label }) => [filename, box.x, box.y, box.width, box.height, label]);
}

function nameOf(item: SourceItem, { request }: ExportSource): string {
  return request.include_images ? imagePath(item) : item.file_path;
}

function list(values: readonly string[]): string | null {
  const distinct = [...new Set(values)];
  return distinct.length === 0 ? null : JSON.stringify(distinct);
}

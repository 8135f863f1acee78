import type { MediaItem } from '../../../contract/schemas/export.ts';
import { mediaItems } from '../media-items.ts';
import { addImages, type Format } from './format.ts';
import { type ParquetColumn, parquetFile } from './parquet-file.ts';

const column = (
  name: keyof MediaItem,
  type: ParquetColumn<MediaItem>['type'],
  nullable = false,
): ParquetColumn<MediaItem> => ({
  name,
  type,
  nullable,
  of: (item) => {
    const value = item[name];
    return typeof value === 'object' && value !== null ? JSON.stringify(value) : value;
  },
});

const COLUMNS: readonly ParquetColumn<MediaItem>[] = [
  column('media_id', 'STRING'),
  column('media_type', 'STRING'),
  column('file_name', 'STRING'),
  column('image_filename', 'STRING'),
  column('file_path', 'STRING'),
  column('file_size', 'STRING'),
  column('uniqueness_score', 'DOUBLE', true),
  column('height', 'INT32'),
  column('width', 'INT32'),
  column('url', 'STRING'),
  column('image_uri', 'STRING'),
  column('cluster_id', 'STRING', true),
  // JSON as text.
  column('metadata_items', 'STRING'),
];

/** `metadata.parquet`: one row per item. */
export const parquetFormat: Format = {
  passes: ({ include_images }) => (include_images ? 2 : 1),
  write: async (source, output) => {
    const texts = { info: JSON.stringify(source.info), custom_fields: JSON.stringify(source.customFields) };
    await output.zip.add('metadata.parquet', parquetFile(COLUMNS, mediaItems(source), texts), 'stored');
    await addImages(source, output);
  },
};

import { ByteWriter, type ColumnSource, ParquetWriter, schemaFromColumnData } from 'hyparquet-writer';
import type { MediaItem } from '../../../contract/schemas/export.ts';
import type { ExportSource } from '../export-source.ts';
import { mediaItems } from '../media-items.ts';
import { addImages, type Format } from './format.ts';

/** Rows per row group, which are in memory together. */
const GROUP_ROWS = 10_000;

const COLUMNS: readonly { name: keyof MediaItem; type: 'STRING' | 'INT32' | 'DOUBLE'; nullable: boolean }[] = [
  { name: 'media_id', type: 'STRING', nullable: false },
  { name: 'media_type', type: 'STRING', nullable: false },
  { name: 'file_name', type: 'STRING', nullable: false },
  { name: 'image_filename', type: 'STRING', nullable: false },
  { name: 'file_path', type: 'STRING', nullable: false },
  { name: 'file_size', type: 'STRING', nullable: false },
  { name: 'uniqueness_score', type: 'DOUBLE', nullable: true },
  { name: 'height', type: 'INT32', nullable: false },
  { name: 'width', type: 'INT32', nullable: false },
  { name: 'url', type: 'STRING', nullable: false },
  { name: 'image_uri', type: 'STRING', nullable: false },
  { name: 'cluster_id', type: 'STRING', nullable: true },
  // JSON as text.
  { name: 'metadata_items', type: 'STRING', nullable: false },
];

/** `metadata.parquet`: one row per item. */
export const parquetFormat: Format = {
  passes: ({ include_images }) => (include_images ? 2 : 1),
  write: async (source, output) => {
    await output.zip.add('metadata.parquet', metadataParquet(source), 'stored');
    await addImages(source, output);
  },
};

/** The bytes of `metadata.parquet`, one row group at a time. */
async function* metadataParquet(source: ExportSource): AsyncGenerator<Uint8Array> {
  const writer = new ByteWriter();
  const parquet = new ParquetWriter({
    writer,
    schema: schemaFromColumnData({ columnData: columnsOf([]) }),
    createdBy: 'Vitrine',
    kvMetadata: [
      { key: 'info', value: JSON.stringify(source.info) },
      { key: 'custom_fields', value: JSON.stringify(source.customFields) },
    ],
  });
  let group: MediaItem[] = [];
  for await (const page of mediaItems(source)) {
    group.push(...page);
    if (group.length < GROUP_ROWS) continue;
    await parquet.write({ columnData: columnsOf(group), rowGroupSize: group.length });
    yield drain(writer);
    group = [];
  }
  if (group.length > 0) await parquet.write({ columnData: columnsOf(group), rowGroupSize: group.length });
  await parquet.finish();
  yield drain(writer);
}

function columnsOf(items: readonly MediaItem[]): ColumnSource[] {
  return COLUMNS.map((column) => ({
    ...column,
    data: items.map((item) => {
      const value = item[column.name];
      return typeof value === 'object' && value !== null ? JSON.stringify(value) : value;
    }),
  }));
}

/** Returns the bytes written so far and clears them. The writer's `offset` continues to count. */
function drain(writer: ByteWriter): Uint8Array {
  const bytes = new Uint8Array(writer.buffer.slice(0, writer.index));
  writer.index = 0;
  return bytes;
}

import type { ExportedFile } from '../../dataset-store/exports/exported-parts.ts';
import type { ExportSource } from '../export-source.ts';
import type { Format } from './format.ts';
import { type ParquetColumn, parquetFile } from './parquet-file.ts';

/** An item that another program reads: its image by address, and what identifies it. */
type ManifestRow = ExportedFile & { uri: string };

const COLUMNS: readonly ParquetColumn<ManifestRow>[] = [
  { name: 'media_id', type: 'STRING', nullable: false, of: ({ media_id }) => media_id },
  { name: 'uri', type: 'STRING', nullable: false, of: ({ uri }) => uri },
  {
    name: 'kind',
    type: 'STRING',
    nullable: false,
    of: ({ media_type }) => (media_type === 'image' ? 'image' : 'frame'),
  },
  // Position of a frame in its video.
  {
    name: 'frame_ms',
    type: 'INT64',
    nullable: true,
    of: ({ frame_timestamp: seconds }) => (seconds === null ? null : BigInt(Math.round(seconds * 1000))),
  },
  { name: 'content_hash', type: 'STRING', nullable: false, of: ({ content_hash }) => content_hash },
  { name: 'width', type: 'INT32', nullable: false, of: ({ width }) => width },
  { name: 'height', type: 'INT32', nullable: false, of: ({ height }) => height },
];

/**
 * Manifest: `manifest.parquet` with one row per item, for programs that run models elsewhere. Addresses are signed, valid as long as those of
 * other exports, and return the original image, or the frame as an image.
 */
export const manifestFormat: Format = {
  passes: () => 1,
  write: async (source, { zip }) => {
    await zip.add('manifest.parquet', manifestParquet(source), 'stored');
  },
};

/** The content of manifest.parquet. */
export function manifestParquet(source: ExportSource): AsyncGenerator<Uint8Array> {
  return parquetFile(COLUMNS, rowsWithAddresses(source), { info: JSON.stringify(source.info) });
}

async function* rowsWithAddresses(source: ExportSource): AsyncGenerator<ManifestRow[]> {
  for await (const page of source.plainPages()) {
    const requested = page.map(({ media_id, row }) => ({ kind: 'media' as const, media_id, version: row }));
    const uris = await source.urlsOf(requested);
    yield page.map((item, at) => ({ ...item, uri: uris[at] ?? '' }));
  }
}

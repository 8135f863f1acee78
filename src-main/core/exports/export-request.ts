import { SCHEMA_VERSION } from '../../contract/schemas/export.ts';
import type { DatasetRow } from '../datasets/dataset-row.ts';
import type { MediaUrls, UrlReader } from '../media/media-urls.ts';
import type { ExportRequest, ExportWork } from '../ports/exports.ts';

type Own = 'dataset_id' | 'generation' | 'info';

/** What is to be written of a dataset, and how it tells of itself. */
export function exportRequest(
  dataset: DatasetRow,
  by: { base_url: string; exported_by: string; now: string },
  options: Omit<ExportRequest, Own>,
): ExportRequest {
  const { dataset_id, generation, display_name, description, created_at } = dataset;
  return {
    ...options,
    dataset_id,
    generation,
    info: {
      schema_version: SCHEMA_VERSION,
      dataset: display_name,
      description,
      dataset_url: `${by.base_url}/#/dataset/${dataset_id}`,
      export_time: by.now,
      dataset_creation_time: created_at,
      exported_by: by.exported_by,
    },
  };
}

/** Signs the addresses in a file. */
export function signer(urls: MediaUrls, reader: UrlReader, datasetId: string): ExportWork['urlsOf'] {
  return (wanted) => {
    const sign = urls.signer(reader, datasetId);
    return wanted.map(({ kind, media_id, version }) => sign(kind, media_id, version));
  };
}

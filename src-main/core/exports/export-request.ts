import { SCHEMA_VERSION } from '../../contract/schemas/export.ts';
import type { DatasetRow } from '../datasets/dataset-row.ts';
import type { MediaUrls, UrlReader } from '../media/media-urls.ts';
import type { ExportRequest, ExportWork } from '../ports/exports.ts';

type Own = 'dataset_id' | 'generation' | 'info';

/** The request to write a dataset's export, with the dataset's description for the file. */
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

/** Returns a function that signs the URLs in an export file. */
export function signer(urls: MediaUrls, reader: UrlReader, datasetId: string): ExportWork['urlsOf'] {
  return (requested) => {
    const sign = urls.signer(reader, datasetId);
    return requested.map(({ kind, media_id, version }) => sign(kind, media_id, version));
  };
}

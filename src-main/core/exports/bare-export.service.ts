import { AppError } from '../../contract/errors.ts';
import type { FileSlice } from '../../contract/operations/media.ts';
import type { DatasetContext } from '../access/contexts.ts';
import type { AuditService } from '../accounts/audit.service.ts';
import type { DatasetCatalog } from '../datasets/dataset-catalog.ts';
import type { SomeHandlers } from '../handlers.ts';
import type { MediaUrls, UrlReader } from '../media/media-urls.ts';
import type { Clock, Ids } from '../ports/clock.ts';
import type { DatasetStores, StoreReads } from '../ports/dataset-store.ts';
import type { ChosenItems, ExportRequest, Exports, ExportWork } from '../ports/exports.ts';
import type { IssueLimits } from '../ports/issue-limits.ts';
import { everything } from '../ports/query.ts';
import type { ExportService } from './export.service.ts';
import { type ExportLimits, tooLarge } from './export-options.ts';
import { exportRequest, signer } from './export-request.ts';

/** Default level, as in Explore. */
const DEFAULT_LEVEL = 2;
const BARE = { is_archive: false, include_images: false, level: DEFAULT_LEVEL, split: null } as const;

interface Parts {
  datasets: DatasetCatalog;
  stores: Pick<DatasetStores, 'whileReading'>;
  exports: Exports;
  /** Runs work on a dataset that may be exported. @throws AppError `conflict` unless the dataset is READY. */
  whileReading: ExportService['whileReading'];
  urls: MediaUrls;
  issueLimits: () => IssueLimits;
  limits: () => ExportLimits;
  /** Returns a path for a temporary file, which the next start deletes if it still exists. */
  temporaryFile: (name: string) => string;
  audit: AuditService;
  clock: Clock;
  ids: Ids;
}

/** Exports of a whole dataset's metadata that are answered within the call. Their files are deleted once they are sent. */
export class BareExportService {
  readonly #parts: Parts;

  /** The operations that this service handles. */
  readonly handlers = {
    export_dataset: (context) => this.exportDataset(context),
    export_media_ids: (context) => this.exportMediaIds(context),
  } satisfies SomeHandlers;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Returns the text of `metadata.json`. @throws AppError `too_large` for a dataset with more items than an export may have. */
  async exportDataset(context: DatasetContext): Promise<FileSlice> {
    return this.#parts.whileReading(context, async (store) => {
      const chosen = await chooseAll(store);
      const { items } = this.#parts.limits();
      if (chosen.n_items > items) throw new AppError('too_large', tooLarge('items', chosen.n_items, items));
      return this.#write(context, chosen, {
        format: 'json',
        content_type: 'application/json; charset=utf-8',
        file_name: 'metadata.json',
      });
    });
  }

  async exportMediaIds(context: DatasetContext): Promise<FileSlice> {
    return this.#parts.whileReading(context, async (store) =>
      this.#write(context, await chooseAll(store), {
        format: 'media_ids',
        content_type: 'text/csv; charset=utf-8',
        file_name: 'media_ids.csv',
      }),
    );
  }

  /**
   * Writes manifest.parquet with the chosen items of a dataset, or with all, to a temporary file, which the caller deletes.
   * @param reader The user that the addresses are signed for, and their base URL.
   */
  async writeManifest(
    datasetId: string,
    reader: UrlReader & { exported_by: string },
    { chosen: given, signal, onProgress }: Pick<ExportWork, 'signal' | 'onProgress'> & { chosen: ChosenItems | null },
  ): Promise<string> {
    const { datasets, stores, exports, urls, clock, ids, issueLimits, temporaryFile } = this.#parts;
    const dataset = datasets.getRow(datasetId);
    return stores.whileReading(dataset, async () => {
      const chosen = given ?? (await chooseAll(datasets.browsable(dataset)));
      const by = { base_url: reader.baseUrl, exported_by: reader.exported_by, now: clock.iso() };
      const options = { chosen, format: 'manifest', ...BARE, limits: issueLimits() } as const;
      const path = temporaryFile(`${ids.uuid()}.manifest`);
      await exports.writeTo(path, exportRequest(dataset, by, options), {
        signal,
        onProgress,
        urlsOf: signer(urls, reader, datasetId),
      });
      return path;
    });
  }

  async #write(
    context: DatasetContext,
    chosen: ChosenItems,
    { format, ...fileType }: { format: ExportRequest['format'] } & Pick<FileSlice, 'content_type' | 'file_name'>,
  ): Promise<FileSlice> {
    const { dataset, baseUrl, principal, signal } = context;
    const { exports, urls, audit, clock, ids, issueLimits, temporaryFile } = this.#parts;
    const noted = { dataset_id: dataset.dataset_id, export_format: format, n_items: chosen.n_items };
    audit.note(context, 'export_begun', dataset.display_name, noted);
    const id = ids.uuid();
    const by = { base_url: baseUrl, exported_by: principal.email, now: clock.iso() };
    const options = { chosen, format, ...BARE };
    const path = temporaryFile(`${id}.export`);
    const request = exportRequest(dataset, by, { ...options, limits: issueLimits() });
    await exports.writeTo(path, request, {
      signal,
      urlsOf: signer(urls, context, dataset.dataset_id),
      onProgress: () => undefined,
    });
    return { path, offset: 0, length: null, crc32: null, etag: `"${id}"`, is_temporary: true, ...fileType };
  }
}

function chooseAll(store: StoreReads): Promise<ChosenItems> {
  const all = { plan: everything('IMAGES'), cluster_id: undefined };
  return store.explore.choosePage(all, { offset: 0, limit: undefined });
}

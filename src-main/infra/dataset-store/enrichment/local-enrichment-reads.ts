import type { EntityType } from '../../../contract/schemas/explore.ts';
import type { EnrichmentReads, ImageToEnrich, ModelFailureRow, PassName } from '../../../core/ports/enrichment.ts';
import type { Answered } from '../../threads/answered.ts';
import { resolveLocation } from '../disk/locations.ts';
import type { MetaRepository } from '../disk/meta.repository.ts';
import { appliedKey, type ModelResultRepository } from './model-result.repository.ts';

interface Parts {
  models: ModelResultRepository;
  meta: MetaRepository;
  dataFolder: string;
  /** Number of rows, living or dead. */
  countRows: (entityType: EntityType) => number;
}

export class LocalEnrichmentReads implements Answered<EnrichmentReads> {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  progress(pass: PassName, entityType: EntityType): { n_done: number; n_rows: number } {
    const nRows = this.#parts.countRows(entityType);
    const nApplied = this.#parts.meta.get<number>(appliedKey(pass, entityType)) ?? 0;
    return { n_done: Math.min(nRows, nApplied), n_rows: nRows };
  }

  sampleImages(limit: number): ImageToEnrich[] {
    return this.#parts.models.sampleImages(limit).map((row) => ({
      row: row.row,
      media_id: row.media_id,
      path: resolveLocation(this.#parts.dataFolder, row, row.location),
    }));
  }

  countFailures(): number {
    return this.#parts.models.countFailures();
  }

  listFailures(query: { offset: number; limit: number }): ModelFailureRow[] {
    return this.#parts.models.listFailures(query);
  }
}

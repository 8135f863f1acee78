import type { DuplicatesService } from '../duplicates/duplicates.service.ts';
import type { ProjectionService } from '../projection/projection.service.ts';

/** What follows on indexing, beside everything else and after it: the map, and the comparison of what looks alike. */
export class FollowUpService {
  readonly #projections: Pick<ProjectionService, 'queue'>;
  readonly #duplicates: Pick<DuplicatesService, 'queue'>;

  constructor(parts: { projections: Pick<ProjectionService, 'queue'>; duplicates: Pick<DuplicatesService, 'queue'> }) {
    this.#projections = parts.projections;
    this.#duplicates = parts.duplicates;
  }

  /** Joins the caller's transaction. */
  queue(datasetId: string): void {
    // The map is done in a moment, and somebody may look at it.
    this.#projections.queue(datasetId);
    this.#duplicates.queue(datasetId);
  }
}

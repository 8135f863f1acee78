import type { DuplicatesService } from '../duplicates/duplicates.service.ts';
import type { ProjectionService } from '../projection/projection.service.ts';

/** Starts the background tasks that follow indexing: the map, and the detection of near-duplicates. */
export class FollowUpService {
  readonly #projections: Pick<ProjectionService, 'queue'>;
  readonly #duplicates: Pick<DuplicatesService, 'queue'>;

  constructor(parts: { projections: Pick<ProjectionService, 'queue'>; duplicates: Pick<DuplicatesService, 'queue'> }) {
    this.#projections = parts.projections;
    this.#duplicates = parts.duplicates;
  }

  /** Queues the tasks. Joins the caller's transaction. */
  queue(datasetId: string): void {
    // The map comes first: it is fast, and a user may be waiting for it.
    this.#projections.queue(datasetId);
    this.#duplicates.queue(datasetId);
  }
}

import type { DuplicatesService } from '../duplicates/duplicates.service.ts';
import type { WordTagsService } from '../enrichment/word-tags.service.ts';
import type { ProjectionService } from '../projection/projection.service.ts';
import type { VectorPlacementService } from './vector-placement.service.ts';

/** Starts the background tasks that follow indexing: the map, tags by words, near-duplicates, and the copy of vectors to an external engine. */
export class FollowUpService {
  readonly #projections: Pick<ProjectionService, 'queue'>;
  readonly #wordTags: Pick<WordTagsService, 'queue'>;
  readonly #duplicates: Pick<DuplicatesService, 'queue'>;
  readonly #vectorPlacement: Pick<VectorPlacementService, 'queue'>;

  constructor(parts: {
    projections: Pick<ProjectionService, 'queue'>;
    wordTags: Pick<WordTagsService, 'queue'>;
    duplicates: Pick<DuplicatesService, 'queue'>;
    vectorPlacement: Pick<VectorPlacementService, 'queue'>;
  }) {
    this.#projections = parts.projections;
    this.#wordTags = parts.wordTags;
    this.#duplicates = parts.duplicates;
    this.#vectorPlacement = parts.vectorPlacement;
  }

  /** Queues the tasks. Joins the caller's transaction. */
  queue(datasetId: string): void {
    // The map and tags come first: they are fast, and a user may be waiting for them.
    this.#projections.queue(datasetId);
    this.#wordTags.queue(datasetId);
    this.#duplicates.queue(datasetId);
    this.#vectorPlacement.queue(datasetId);
  }
}

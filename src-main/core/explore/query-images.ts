import { LRUCache } from 'lru-cache';
import { AppError } from '../../contract/errors.ts';
import { message } from '../../contract/messages.ts';
import type { Clock, Ids } from '../ports/clock.ts';
import { parseQueryImage, type QueryImage } from './query-image.ts';

/** Hours until a query image expires. */
const LIFETIME_HOURS = 24;
/** Maximum number of query images in memory, about 20 kB each. */
const MAX_CACHED = 1000;

export interface CachedQueryImage extends QueryImage {
  expires_ms: number;
}

/** Stores query images in memory, so they are lost when the process exits. Query images of saved queries are loaded from storage again. */
export class QueryImages {
  readonly #clock: Clock;
  readonly #ids: Ids;
  readonly #findSaved: (datasetId: string, anchorId: string) => string | undefined;
  readonly #cached = new LRUCache<string, CachedQueryImage>({ max: MAX_CACHED });

  /** @param findSaved Returns the serialised query image of a saved query. */
  constructor(clock: Clock, ids: Ids, findSaved: (datasetId: string, anchorId: string) => string | undefined) {
    this.#clock = clock;
    this.#ids = ids;
    this.#findSaved = findSaved;
  }

  /** Adds a query image. If there are too many, the least recently used one is removed. */
  add(image: QueryImage): { anchor_media_id: string; expires_ms: number } {
    const anchorId = this.#ids.uuid();
    return { anchor_media_id: anchorId, expires_ms: this.#keep(anchorId, image).expires_ms };
  }

  /** @throws AppError `not_found` for a query image that expired, belongs to another dataset or never existed. */
  get(datasetId: string, anchorId: string): CachedQueryImage {
    const kept = this.#cached.get(anchorId);
    if (kept?.dataset_id === datasetId && kept.expires_ms > this.#clock.now()) return kept;
    const saved = this.#findSaved(datasetId, anchorId);
    if (saved !== undefined) return this.#keep(anchorId, parseQueryImage(saved));
    throw new AppError('not_found', message('query_image_not_found', { hours: LIFETIME_HOURS }));
  }

  #keep(anchorId: string, image: QueryImage): CachedQueryImage {
    const kept = { ...image, expires_ms: this.#clock.now() + LIFETIME_HOURS * 3_600_000 };
    this.#cached.set(anchorId, kept);
    return kept;
  }
}

import { AppError } from '../../contract/errors.ts';
import type { Clock, Ids } from '../ports/clock.ts';
import type { PixelBox } from '../ports/image.ts';
import type { EncodedVector } from '../ports/query.ts';

/** How long a query image can be searched with. */
const KEPT_HOURS = 24;
/** Query images that are kept: about 20 kB each. */
const MOST_KEPT = 1000;

/** An image from outside that items are compared with. */
export interface QueryImage {
  dataset_id: string;
  file_name: string;
  /** In pixels, upright. */
  width: number;
  height: number;
  /** The part that is compared; null for all of it. */
  box: PixelBox | null;
  /** WebP bytes of what is compared. */
  thumbnail: Uint8Array;
  vectors: readonly EncodedVector[];
  /** SHA-256 of the file, where all of it is compared. */
  content_hash: string | null;
}

export interface KeptQueryImage extends QueryImage {
  expires_ms: number;
}

/** Query images in memory: nothing of them is on the disk, and they end with the process at the latest. */
export class QueryImages {
  readonly #clock: Clock;
  readonly #ids: Ids;
  /** The oldest first. */
  readonly #kept = new Map<string, KeptQueryImage>();

  constructor(clock: Clock, ids: Ids) {
    this.#clock = clock;
    this.#ids = ids;
  }

  /** The oldest of too many are forgotten. */
  add(image: QueryImage): { anchor_media_id: string; expires_ms: number } {
    this.#dropExpired();
    const [oldest] = this.#kept.keys();
    if (this.#kept.size >= MOST_KEPT && oldest !== undefined) this.#kept.delete(oldest);
    const kept = { ...image, expires_ms: this.#clock.now() + KEPT_HOURS * 3_600_000 };
    const anchorId = this.#ids.uuid();
    this.#kept.set(anchorId, kept);
    return { anchor_media_id: anchorId, expires_ms: kept.expires_ms };
  }

  /** @throws AppError `not_found` for one that has expired, is of another dataset or was never there. */
  get(datasetId: string, anchorId: string): KeptQueryImage {
    this.#dropExpired();
    const kept = this.#kept.get(anchorId);
    if (kept?.dataset_id === datasetId) return kept;
    throw new AppError(
      'not_found',
      `There is no such query image in this dataset; upload it again. They are kept for ${KEPT_HOURS} hours, and until Vitrine is closed`,
    );
  }

  #dropExpired(): void {
    const now = this.#clock.now();
    for (const [anchorId, { expires_ms }] of this.#kept) if (expires_ms <= now) this.#kept.delete(anchorId);
  }
}

import type { ByteRange } from '../../../core/ports/byte-range.ts';
import type { ItemDetails, ItemList, ItemReads, StoreCounts } from '../../../core/ports/items.ts';
import type { Answered } from '../../threads/answered.ts';
import type { ItemDetailsReader } from './item-details.ts';
import type { MediaRepository } from './media.repository.ts';
import type { MediaLocations } from './media-locations.ts';
import type { StoreCounter } from './store-counter.ts';

interface Parts {
  details: ItemDetailsReader;
  locations: MediaLocations;
  media: MediaRepository;
  counter: StoreCounter;
}

export class LocalItemReads implements Answered<ItemReads> {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  find(mediaId: string, labelConfidence?: number): ItemDetails | undefined {
    return this.#parts.details.find(mediaId, labelConfidence);
  }

  locateOriginal(mediaId: string): ByteRange | undefined {
    return this.#parts.locations.original(mediaId);
  }

  locateThumbnail(mediaId: string): ByteRange | undefined {
    return this.#parts.locations.thumbnail(mediaId);
  }

  locateThumbnails(mediaIds: readonly string[]): (ByteRange | undefined)[] {
    return mediaIds.map((mediaId) => this.#parts.locations.thumbnail(mediaId));
  }

  listArrivals({ offset, limit }: { offset: number; limit: number }): ItemList {
    const { media } = this.#parts;
    const total = media.endRow();
    const rows = Array.from({ length: Math.max(0, Math.min(limit, total - offset)) }, (_, nth) => offset + nth);
    const unknown = { labels: [], tags: [], caption: null, object: null, distance: null };
    return { total, items: media.listByRows(rows).map((item) => ({ ...item, ...unknown })) };
  }

  counts(batchId?: string): StoreCounts {
    return this.#parts.counter.counts(batchId);
  }
}

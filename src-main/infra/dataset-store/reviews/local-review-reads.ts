import type { KeepRule } from '../../../contract/schemas/review.ts';
import type { GroupQueue, ItemQueue, QueuePage, ReviewReads } from '../../../core/ports/reviews.ts';
import type { Answered } from '../../threads/answered.ts';
import type { CopiesToReview } from './copies-to-review.ts';
import type { ItemsToReview } from './items-to-review.ts';

interface Parts {
  items: ItemsToReview;
  copies: CopiesToReview;
}

export class LocalReviewReads implements Answered<ReviewReads> {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  listItems(queue: ItemQueue, page: QueuePage) {
    return this.#parts.items.list(queue, page);
  }

  listGroups(queue: GroupQueue, page: QueuePage) {
    return this.#parts.copies.list(queue, page);
  }

  suggestForItems(queue: ItemQueue, suggestedLabel: string | undefined) {
    return this.#parts.items.suggest(queue, suggestedLabel);
  }

  suggestForGroups(queue: GroupQueue, rule: KeepRule, folders: readonly string[]) {
    return this.#parts.copies.suggest(queue, rule, folders);
  }
}

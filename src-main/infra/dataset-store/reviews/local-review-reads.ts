import type { KeepRule } from '../../../contract/schemas/review.ts';
import { rowsOf } from '../../../core/ports/query.ts';
import type { GroupQueue, ItemQueue, QueuePage, ReviewReads } from '../../../core/ports/reviews.ts';
import type { Answered } from '../../threads/answered.ts';
import { type Needs, type NeedsOf, needsOfConditions } from '../thread/needs.ts';
import type { CopiesToReview } from './copies-to-review.ts';
import type { ItemsToReview } from './items-to-review.ts';

interface Parts {
  items: ItemsToReview;
  copies: CopiesToReview;
}

export class LocalReviewReads implements Answered<ReviewReads> {
  static readonly needs: NeedsOf<ReviewReads> = {
    listItems: needsOfItems,
    listGroups: needsOfGroups,
    suggestForItems: needsOfItems,
    suggestForGroups: needsOfGroups,
  };

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

function needsOfItems({ plan, issue }: ItemQueue): Needs {
  const issues = issue && { entity_type: rowsOf(plan.entity_type), issues: [issue.name], limits: issue.limits };
  return { plans: [plan], issues: issues ? [issues] : [] };
}

function needsOfGroups({ conditions, threshold }: GroupQueue): Needs {
  return needsOfConditions('IMAGES', [...conditions, { name: 'duplicates', op: 'duplicates', value: threshold }]);
}

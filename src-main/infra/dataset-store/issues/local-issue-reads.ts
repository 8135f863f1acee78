import { ISSUES, ISSUES_OF_OBJECTS, type IssueCounts } from '../../../contract/schemas/issues.ts';
import type { IssueLimits } from '../../../core/ports/issue-limits.ts';
import type { FoundIssue, FoundIssues, IssueReads } from '../../../core/ports/issues.ts';
import type { QueryPlan } from '../../../core/ports/query.ts';
import type { Answered } from '../../threads/answered.ts';
import type { PlanFinder } from '../explore/plan-finder.ts';
import type { RowFacts } from '../explore/row-facts.ts';
import type { MediaRepository } from '../items/media.repository.ts';
import type { ObjectRepository } from '../items/object.repository.ts';
import { type NeedsOf, needsOfPlanAndIssues } from '../thread/needs.ts';

interface Parts {
  finder: PlanFinder;
  rowFacts: RowFacts;
  media: MediaRepository;
  objects: ObjectRepository;
}

export class LocalIssueReads implements Answered<IssueReads> {
  static readonly needs: NeedsOf<IssueReads> = {
    count: needsOfPlanAndIssues,
    listOfItem: (_mediaId, limits) => ({
      plans: [],
      issues: [
        { entity_type: 'IMAGES', issues: ISSUES, limits },
        { entity_type: 'OBJECTS', issues: ISSUES_OF_OBJECTS, limits },
      ],
    }),
  };

  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async count(plan: QueryPlan, limits: IssueLimits): Promise<IssueCounts> {
    const { rows, facts } = await this.#parts.finder.find(plan);
    return facts.issues.count(rows, limits, facts);
  }

  listOfItem(mediaId: string, limits: IssueLimits): FoundIssues {
    const { rowFacts, media } = this.#parts;
    const row = media.find(mediaId)?.row;
    const facts = rowFacts.of('IMAGES');
    if (row === undefined || row >= facts.count) return { item: [], objects: new Map() };
    return { item: facts.issues.ofRows(limits, facts)(row), objects: this.#ofObjects(mediaId, limits) };
  }

  #ofObjects(mediaId: string, limits: IssueLimits): Map<string, FoundIssue[]> {
    const { rowFacts, objects } = this.#parts;
    const facts = rowFacts.of('OBJECTS');
    const found = new Map<string, FoundIssue[]>();
    const boxes = objects.listOfMedia(mediaId, facts.count);
    if (boxes.length === 0) return found;
    const issuesOf = facts.issues.ofRows(limits, facts, ISSUES_OF_OBJECTS);
    for (const { row, object } of boxes) {
      const own = row < facts.count ? issuesOf(row) : [];
      if (own.length > 0) found.set(object.object_id, own);
    }
    return found;
  }
}

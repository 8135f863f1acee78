import type { Agreement, Compared, LabelGroup, LabelGroups, Scatter } from '../../../contract/schemas/charts.ts';
import type { ChartReads } from '../../../core/ports/charts.ts';
import type { QueryPlan } from '../../../core/ports/query.ts';
import type { Answered } from '../../threads/answered.ts';
import type { TagRepository } from '../edits/tag.repository.ts';
import type { PlanFinder } from '../explore/plan-finder.ts';
import { type NeedsOf, needsOfPlan } from '../thread/needs.ts';
import { countAgreement } from './count-agreement.ts';
import { countLabelGroups } from './label-groups.ts';
import { countScatter } from './scatter.ts';

interface Parts {
  finder: PlanFinder;
  tags: TagRepository;
}

export class LocalChartReads implements Answered<ChartReads> {
  static readonly needs: NeedsOf<ChartReads> = {
    scatter: ({ plan }) => needsOfPlan(plan),
    labelGroups: ({ plan }) => needsOfPlan(plan),
    agreement: ({ plan }) => needsOfPlan(plan),
  };

  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async scatter({ plan, x, y }: { plan: QueryPlan; x: string; y: string }): Promise<Scatter> {
    const { rows, facts } = await this.#parts.finder.find(plan);
    return countScatter(rows, facts, { x, y });
  }

  async labelGroups(query: { plan: QueryPlan; by: LabelGroup; field_name: string | undefined }): Promise<LabelGroups> {
    const { rows, facts } = await this.#parts.finder.find(query.plan);
    return countLabelGroups(rows, facts, { by: query.by, field_name: query.field_name, tags: this.#parts.tags });
  }

  async agreement(query: {
    plan: QueryPlan;
    compared: Compared | undefined;
    confidence_min: number;
  }): Promise<Agreement> {
    const { rows, facts } = await this.#parts.finder.find(query.plan);
    return countAgreement(rows, facts, { compared: query.compared, confidence_min: query.confidence_min });
  }
}

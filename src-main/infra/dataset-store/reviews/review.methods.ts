import { rowsOf } from '../../../core/ports/query.ts';
import type { GroupQueue, ItemQueue, ReviewReads } from '../../../core/ports/reviews.ts';
import { type MethodTable, READ } from '../thread/method-table.ts';
import { type Needs, needsOfConditions } from '../thread/needs.ts';

export const reviewMethods: MethodTable<ReviewReads, object> = {
  listItems: { ...READ, needs: needsOfItems },
  listGroups: { ...READ, needs: needsOfGroups },
  suggestForItems: { ...READ, needs: needsOfItems },
  suggestForGroups: { ...READ, needs: needsOfGroups },
};

function needsOfItems({ plan, issue }: ItemQueue): Needs {
  const issues = issue && { entity_type: rowsOf(plan.entity_type), issues: [issue.name], limits: issue.limits };
  return { plans: [plan], issues: issues ? [issues] : [] };
}

function needsOfGroups({ conditions, threshold }: GroupQueue): Needs {
  return needsOfConditions('IMAGES', [...conditions, { name: 'duplicates', op: 'duplicates', value: threshold }]);
}

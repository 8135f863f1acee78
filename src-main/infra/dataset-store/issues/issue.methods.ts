import { ISSUES, ISSUES_OF_OBJECTS } from '../../../contract/schemas/issues.ts';
import type { IssueReads } from '../../../core/ports/issues.ts';
import { type MethodTable, READ } from '../thread/method-table.ts';
import { needsOfPlanAndIssues } from '../thread/needs.ts';

export const issueMethods: MethodTable<IssueReads, object> = {
  count: { ...READ, needs: needsOfPlanAndIssues },
  listOfItem: {
    ...READ,
    needs: (_mediaId, limits) => ({
      plans: [],
      issues: [
        { entity_type: 'IMAGES', issues: ISSUES, limits },
        { entity_type: 'OBJECTS', issues: ISSUES_OF_OBJECTS, limits },
      ],
    }),
  },
};

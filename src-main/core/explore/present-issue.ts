import { describeIssue, type Issue } from '../../contract/schemas/issues.ts';
import type { FoundIssue } from '../ports/issues.ts';

/** An issue as the wire has it, in words too. */
export function presentIssue({ issue, confidence, instead }: FoundIssue): Issue {
  return {
    issue_type: issue,
    confidence,
    issues_description: describeIssue(issue, instead),
    suggested_label: instead,
  };
}

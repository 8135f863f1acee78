import { describeIssue, type Issue } from '../../contract/schemas/issues.ts';
import type { FoundIssue } from '../ports/issues.ts';

/** Converts an issue to its API form, which includes a text. */
export function presentIssue({ issue, confidence, instead }: FoundIssue): Issue {
  return {
    issue_type: issue,
    confidence,
    issues_description: describeIssue(issue, instead),
    suggested_label: instead,
  };
}

import { describeIssue, type Issue } from '../../contract/schemas/issues.ts';
import type { FoundIssue } from '../ports/issues.ts';

/** Converts an issue to its API form, which includes a text. */
export function presentIssue(found: FoundIssue): Issue {
  return {
    issue_type: found.issue,
    confidence: found.confidence,
    issues_description: describeIssue(found),
    suggested_label: found.instead,
  };
}

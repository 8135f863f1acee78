import { formatMessage } from '../../contract/messages.ts';
import { describeIssue, type Issue } from '../../contract/schemas/issues.ts';
import type { FoundIssue } from '../ports/issues.ts';

/** Converts an issue to its API form, which includes a text. */
export function presentIssue(found: FoundIssue): Issue {
  const description = describeIssue(found);
  return {
    issue_type: found.issue,
    confidence: found.confidence,
    issues_description: formatMessage(description),
    description,
    suggested_label: found.instead,
  };
}

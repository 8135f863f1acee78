import type { Issue, IssueName } from '../../contract/schemas/issues.ts';
import type { FoundIssue } from '../ports/explored.ts';

const DESCRIPTIONS: Record<IssueName, string> = {
  mislabels: 'What looks like it has another label',
  label_outlier: 'It looks unlike others of its label',
  outliers: 'It looks unlike anything else here',
  duplicates: 'Another item shows the same',
  blur: 'Its edges are soft, or it has hardly any detail',
  dark: 'Most of it is dark',
  bright: 'Next to nothing in it is darker than white',
  low_information: 'It shows next to nothing',
  odd_size: 'It is far larger or smaller than most',
  odd_aspect_ratio: 'One side is far longer than the other',
};

/** An issue as the wire has it, in words too. */
export function presentIssue({ issue, confidence, instead }: FoundIssue): Issue {
  const words = DESCRIPTIONS[issue];
  return {
    issue_type: issue,
    confidence,
    issues_description: instead === null ? words : `${words}: ${instead}`,
    suggested_label: instead,
  };
}

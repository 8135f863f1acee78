import { z } from 'zod';

/** Issues of items. An object inherits the issues of its image; outlier and label issues are its own. */
export const ISSUES = [
  'mislabels',
  'label_outlier',
  'outliers',
  'duplicates',
  'blur',
  'dark',
  'bright',
  'low_information',
  'odd_size',
  'odd_aspect_ratio',
] as const;
export type IssueName = (typeof ISSUES)[number];

/** Values of the issue filter; `normal` items have no issue. */
export const ISSUE_CHOICES = [...ISSUES, 'normal'] as const;
export type IssueChoice = (typeof ISSUE_CHOICES)[number];

/** Descriptions of the issues. */
const ISSUE_DESCRIPTIONS: Readonly<Record<IssueName, string>> = {
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

/** Describes an issue; for a mislabel, with the label that its neighbours suggest. */
export function describeIssue(issue: IssueName, instead: string | null): string {
  const words = ISSUE_DESCRIPTIONS[issue];
  return instead === null ? words : `${words}: ${instead}`;
}

/** Issues of objects themselves; the others come from the image. */
export const ISSUES_OF_OBJECTS = ['mislabels', 'label_outlier', 'outliers'] as const satisfies readonly IssueName[];

/** Minimum confidence at which an item counts as having an issue. */
export const SURE_OF_ISSUE = 0.5;

/** An issue of an item or object. */
export const issue = z.object({
  issue_type: z.enum(ISSUES),
  /** 0.5 … 1. */
  confidence: z.number(),
  issues_description: z.string(),
  /** For a mislabel the label that its nearest neighbours suggest; null for other issues. */
  suggested_label: z.string().nullable(),
});
export type Issue = z.infer<typeof issue>;

/** Number of items per issue; issues without items are omitted. */
export const issueCounts = z.array(z.object({ name: z.enum(ISSUE_CHOICES), count: z.int() }));
export type IssueCounts = z.infer<typeof issueCounts>;

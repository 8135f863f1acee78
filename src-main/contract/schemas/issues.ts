import { z } from 'zod';

/** What may be wrong with an item. An object has those of its image; outliers and labels are its own. */
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

/** What can be filtered by: `normal` has no issue. */
export const ISSUE_CHOICES = [...ISSUES, 'normal'] as const;
export type IssueChoice = (typeof ISSUE_CHOICES)[number];

/** What each says of an item. */
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

/** An issue in words; of a mislabel, with the label that its neighbours have instead. */
export function describeIssue(issue: IssueName, instead: string | null): string {
  const words = ISSUE_DESCRIPTIONS[issue];
  return instead === null ? words : `${words}: ${instead}`;
}

/** Those that an object has by itself; the others are of its image. */
export const ISSUES_OF_OBJECTS = ['mislabels', 'label_outlier', 'outliers'] as const satisfies readonly IssueName[];

/** From here on an item counts as having an issue. */
export const SURE_OF_ISSUE = 0.5;

/** An issue that an item or object has. */
export const issue = z.object({
  issue_type: z.enum(ISSUES),
  /** 0.5 … 1. */
  confidence: z.number(),
  issues_description: z.string(),
  /** Of a mislabel: the label that what looks like it has instead; null of others. */
  suggested_label: z.string().nullable(),
});
export type Issue = z.infer<typeof issue>;

/** How many items have each; issues that none has are left out. */
export const issueCounts = z.array(z.object({ name: z.enum(ISSUE_CHOICES), count: z.int() }));
export type IssueCounts = z.infer<typeof issueCounts>;

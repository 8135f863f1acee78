import { z } from 'zod';
import { type Message, message, messageSchema } from '../messages.ts';

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

/**
 * Describes an issue.
 * @param found.instead For a mislabel, the label that its neighbours suggest.
 * @param found.by_appearance Whether neighbours were compared without semantic embeddings.
 */
export function describeIssue(found: { issue: IssueName; instead: string | null; by_appearance: boolean }): Message {
  const issue = message(`issue_${found.issue}`);
  const described = found.instead === null ? issue : message('issue_suggests', { issue, label: found.instead });
  return found.by_appearance ? message('issue_by_appearance', { issue: described }) : described;
}

/** Issues of objects themselves, which depend on neighbours; the others come from the image. */
export const ISSUES_OF_OBJECTS = ['mislabels', 'label_outlier', 'outliers'] as const satisfies readonly IssueName[];

/** Minimum confidence at which an item counts as having an issue. */
export const SURE_OF_ISSUE = 0.5;

/** An issue of an item or object. */
export const issue = z.object({
  issue_type: z.enum(ISSUES),
  /** 0.5 … 1. */
  confidence: z.number(),
  issues_description: z.string(),
  /** Ours: the description as data. */
  description: messageSchema,
  /** For a mislabel the label that its nearest neighbours suggest; null for other issues. */
  suggested_label: z.string().nullable(),
});
export type Issue = z.infer<typeof issue>;

/** Number of items per issue; issues without items are omitted. */
export const issueCounts = z.array(z.object({ name: z.enum(ISSUE_CHOICES), count: z.int() }));
export type IssueCounts = z.infer<typeof issueCounts>;

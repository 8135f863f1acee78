import { z } from 'zod';
import { duplicateGroup } from './duplicates.ts';
import { preview } from './explore.ts';
import { ISSUES } from './issues.ts';

/** Doubts with a queue of their own. `query`: everything that a query finds. */
export const REVIEW_KINDS = [...ISSUES, 'unlabeled', 'query'] as const;
export type ReviewKind = (typeof REVIEW_KINDS)[number];

/**
 * Decisions on an item. `accepted`: the doubt is right. `rejected`: nothing is wrong. `fixed`: solved in another way than suggested. `kept`:
 * the copy of a group of duplicates that stays; each decided group has exactly one.
 */
export const VERDICTS = ['accepted', 'rejected', 'fixed', 'kept'] as const;
export type Verdict = (typeof VERDICTS)[number];

/** What accepting an entry does. `mark`: only stores the verdict. */
export const SUGGESTED_ACTIONS = ['exclude', 'relabel', 'mark'] as const;

/**
 * Which copy of a group to keep. `suggested`: as duplicates are listed. `format`: a lossless one. `oldest`, `newest`: by the time of the file.
 */
export const KEEP_RULES = ['suggested', 'resolution', 'size', 'format', 'oldest', 'newest'] as const;
export type KeepRule = (typeof KEEP_RULES)[number];

/** Id of a queue, which names its verdicts: the doubt, or a hash of the query. */
export const queueId = z.string().min(1).max(40);

export const reviewEntry = z.object({
  /** Id of the item, or cluster id of the group of duplicates. */
  entry_id: z.string(),
  item: preview,
  /** The whole group, for duplicates. */
  group: duplicateGroup.nullable(),
  reason: z.object({
    code: z.enum(REVIEW_KINDS),
    /** 0 … 1; the lowest of a group's copies; null without a measure. */
    confidence: z.number().nullable(),
    /** Whether neighbours were compared without semantic embeddings. */
    by_appearance: z.boolean(),
  }),
  suggestion: z.object({
    action: z.enum(SUGGESTED_ACTIONS),
    /** For `relabel`. */
    add_labels: z.array(z.string()),
    remove_labels: z.array(z.string()),
  }),
});
export type ReviewEntry = z.infer<typeof reviewEntry>;

export const reviewQueue = z.object({
  queue_id: queueId,
  entries: z.array(reviewEntry),
  /** Number of undecided entries, those that other people look at included. */
  left: z.int(),
  /** Number of decided entries of the queue, by person. */
  done: z.array(z.object({ user: z.string(), count: z.int() })),
});
export type ReviewQueue = z.infer<typeof reviewQueue>;

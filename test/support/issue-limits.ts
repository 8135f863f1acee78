import type { IssueLimits } from '../../src-main/core/ports/issue-limits.ts';

/** Default thresholds of issues, without changed settings. */
export const ISSUE_LIMITS: IssueLimits = {
  blur: 1,
  dark: 0.45,
  bright: 0.3,
  low_information: 1,
  odd_aspect_ratio: 0.35,
  odd_size: 3,
  duplicates: 0.95,
  outliers: 1.5,
};

import { deAccounts } from './de-accounts.ts';
import { deAudit } from './de-audit.ts';
import { deCharts } from './de-charts.ts';
import { deDuplicates } from './de-duplicates.ts';
import { deEditing } from './de-editing.ts';
import { deExplore } from './de-explore.ts';
import { deExports } from './de-exports.ts';
import { deFrame } from './de-frame.ts';
import { deInventory } from './de-inventory.ts';
import { deIssues } from './de-issues.ts';
import { deItem } from './de-item.ts';
import { deLog } from './de-log.ts';
import { deMap } from './de-map.ts';
import { deMedia } from './de-media.ts';
import { deMessages } from './de-messages.ts';
import { deMetadata } from './de-metadata.ts';
import { deModels } from './de-models.ts';
import { deProblems } from './de-problems.ts';
import { deRecovery } from './de-recovery.ts';
import { deReview } from './de-review.ts';
import { deSearch } from './de-search.ts';
import { deSettings } from './de-settings.ts';
import { deSnapshots } from './de-snapshots.ts';
import { deTasks } from './de-tasks.ts';
import { deTeamwork } from './de-teamwork.ts';
import { deUsers } from './de-users.ts';
import { deViews } from './de-views.ts';
import type { en } from './en.ts';

/** All texts in German. The type makes a missing text a compile error. */
export const de: typeof en = {
  ...deAccounts,
  ...deAudit,
  ...deCharts,
  ...deDuplicates,
  ...deEditing,
  ...deExplore,
  ...deExports,
  ...deFrame,
  ...deInventory,
  ...deIssues,
  ...deItem,
  ...deLog,
  ...deMap,
  ...deMedia,
  ...deMetadata,
  ...deModels,
  ...deProblems,
  ...deRecovery,
  ...deReview,
  ...deSearch,
  ...deSettings,
  ...deSnapshots,
  ...deTasks,
  ...deTeamwork,
  ...deUsers,
  ...deViews,
  messages: deMessages,
};

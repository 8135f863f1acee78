import { MESSAGES } from '../../src-main/contract/messages.ts';
import { enAccounts } from './en-accounts.ts';
import { enAudit } from './en-audit.ts';
import { enCharts } from './en-charts.ts';
import { enDuplicates } from './en-duplicates.ts';
import { enEditing } from './en-editing.ts';
import { enExplore } from './en-explore.ts';
import { enExports } from './en-exports.ts';
import { enFrame } from './en-frame.ts';
import { enInventory } from './en-inventory.ts';
import { enIssues } from './en-issues.ts';
import { enItem } from './en-item.ts';
import { enLog } from './en-log.ts';
import { enMap } from './en-map.ts';
import { enMedia } from './en-media.ts';
import { enMetadata } from './en-metadata.ts';
import { enModels } from './en-models.ts';
import { enProblems } from './en-problems.ts';
import { enRecovery } from './en-recovery.ts';
import { enReview } from './en-review.ts';
import { enSearch } from './en-search.ts';
import { enSettings } from './en-settings.ts';
import { enSnapshots } from './en-snapshots.ts';
import { enTasks } from './en-tasks.ts';
import { enTeamwork } from './en-teamwork.ts';
import { enUsers } from './en-users.ts';
import { enViews } from './en-views.ts';

/** All texts of the interface. `_one` and `_other` are plural forms. `{{count, number}}` uses thousands separators. */
export const en = {
  ...enAccounts,
  ...enAudit,
  ...enCharts,
  ...enDuplicates,
  ...enEditing,
  ...enExplore,
  ...enExports,
  ...enFrame,
  ...enInventory,
  ...enIssues,
  ...enItem,
  ...enLog,
  ...enMap,
  ...enMedia,
  ...enMetadata,
  ...enModels,
  ...enProblems,
  ...enRecovery,
  ...enReview,
  ...enSearch,
  ...enSettings,
  ...enSnapshots,
  ...enTasks,
  ...enTeamwork,
  ...enUsers,
  ...enViews,
  /** Sentences that the server also creates, by their codes. */
  messages: MESSAGES as Readonly<Record<string, string>>,
};

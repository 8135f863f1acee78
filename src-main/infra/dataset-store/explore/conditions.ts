import type { Condition, ConditionName } from '../../../core/ports/query.ts';
import { agreementConditions } from '../charts/agreement.condition.ts';
import { clusterConditions } from '../clusters/clusters.condition.ts';
import { duplicateConditions } from '../duplicates/duplicates.condition.ts';
import { exclusionConditions } from '../edits/excluded.condition.ts';
import { tagConditions } from '../edits/tags.condition.ts';
import { issueConditions } from '../issues/issues.condition.ts';
import { fileConditions } from '../items/files.condition.ts';
import { folderConditions } from '../items/folders.condition.ts';
import { itemFactConditions } from '../items/item-facts.condition.ts';
import { mediaConditions } from '../items/media.condition.ts';
import { objectConfidenceConditions } from '../items/object-confidence.condition.ts';
import { labelConditions } from '../labels/labels.condition.ts';
import { mapConditions } from '../map/map.condition.ts';
import { metadataConditions } from '../metadata/metadata.condition.ts';
import { reviewConditions } from '../reviews/reviewed.condition.ts';
import { captionConditions } from '../texts/captions.condition.ts';
import { wordConditions } from '../texts/words.condition.ts';
import type { ConditionKind } from './condition-kind.ts';
import { uniquenessConditions } from './uniqueness.condition.ts';

type Kinds = { readonly [Name in ConditionName]: ConditionKind<Name> };

/** All kinds of conditions. The compiler asks for each filter of VQL that is a condition. */
const CONDITIONS = {
  ...agreementConditions,
  ...clusterConditions,
  ...duplicateConditions,
  ...exclusionConditions,
  ...tagConditions,
  ...uniquenessConditions,
  ...issueConditions,
  ...fileConditions,
  ...folderConditions,
  ...itemFactConditions,
  ...objectConfidenceConditions,
  ...mediaConditions,
  ...labelConditions,
  ...mapConditions,
  ...metadataConditions,
  ...reviewConditions,
  ...captionConditions,
  ...wordConditions,
} satisfies Kinds;

/** Returns the kind of a condition. */
export function conditionKind({ name }: Condition): ConditionKind<ConditionName> {
  // The compiler cannot infer that a condition and its entry in the table have the same name.
  const kinds: Kinds = CONDITIONS;
  return kinds[name] as ConditionKind<ConditionName>;
}

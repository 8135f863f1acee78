import type { Condition, ConditionName } from '../../../core/ports/query.ts';
import { agreement, confidence } from '../charts/agreement.condition.ts';
import { clusters } from '../clusters/clusters.condition.ts';
import { duplicates } from '../duplicates/duplicates.condition.ts';
import { excluded } from '../edits/excluded.condition.ts';
import { tags } from '../edits/tags.condition.ts';
import { issues } from '../issues/issues.condition.ts';
import { files } from '../items/files.condition.ts';
import { folders } from '../items/folders.condition.ts';
import { created, height, mediaType, width } from '../items/item-facts.condition.ts';
import { media } from '../items/media.condition.ts';
import { labels } from '../labels/labels.condition.ts';
import { map } from '../map/map.condition.ts';
import { metadata } from '../metadata/metadata.condition.ts';
import { reviewed } from '../reviews/reviewed.condition.ts';
import { captions } from '../texts/captions.condition.ts';
import { words } from '../texts/words.condition.ts';
import type { ConditionKind } from './condition-kind.ts';
import { uniqueness } from './uniqueness.condition.ts';

type Kinds = { readonly [Name in ConditionName]: ConditionKind<Name> };

/** All kinds of conditions. The compiler asks for each filter of VQL that is a condition. */
const CONDITIONS = {
  labels,
  folders,
  files,
  captions,
  tags,
  map,
  metadata,
  clusters,
  media,
  excluded,
  reviewed,
  media_type: mediaType,
  width,
  height,
  created,
  agreement,
  confidence,
  issues,
  uniqueness,
  duplicates,
  words,
} satisfies Kinds;

/** Returns the kind of a condition. */
export function conditionKind({ name }: Condition): ConditionKind<ConditionName> {
  // The compiler cannot infer that a condition and its entry in the table have the same name.
  const kinds: Kinds = CONDITIONS;
  return kinds[name] as ConditionKind<ConditionName>;
}

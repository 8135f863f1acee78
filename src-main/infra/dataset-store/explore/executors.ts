import type { Condition, ConditionName } from '../../../core/ports/query.ts';
import type { RowSet } from '../../vectors/row-set.ts';
import { clusters } from '../clusters/clusters.condition.ts';
import { duplicates } from '../duplicates/duplicates.condition.ts';
import { excluded } from '../edits/excluded.condition.ts';
import { tags } from '../edits/tags.condition.ts';
import { issues } from '../issues/issues.condition.ts';
import { files } from '../items/files.condition.ts';
import { folders } from '../items/folders.condition.ts';
import { created, mediaType, pixels } from '../items/item-facts.condition.ts';
import { media } from '../items/media.condition.ts';
import { labels } from '../labels/labels.condition.ts';
import { map } from '../map/map.condition.ts';
import { metadata } from '../metadata/metadata.condition.ts';
import { captions } from '../texts/captions.condition.ts';
import { words } from '../texts/words.condition.ts';
import type { Executor, Facts } from './executor.ts';
import { uniqueness } from './uniqueness.condition.ts';

/** Executor of each condition. A new kind of condition is a file and a line here. */
const EXECUTORS: { [Name in ConditionName]: Executor<Name> } = {
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
  media_type: mediaType,
  width: pixels,
  height: pixels,
  created,
  issues,
  uniqueness,
  duplicates,
  words,
};

/** Returns the rows that meet a condition. */
export function decide(condition: Condition, facts: Facts): RowSet {
  // The compiler cannot infer that a condition and its entry in the table have the same name.
  const executor = EXECUTORS[condition.name] as (condition: Condition, facts: Facts) => RowSet;
  return executor(condition, facts);
}

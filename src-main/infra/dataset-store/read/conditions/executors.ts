import type { Condition, ConditionName } from '../../../../core/ports/query.ts';
import type { RowSet } from '../../../vectors/row-set.ts';
import { captions } from './captions.condition.ts';
import { clusters } from './clusters.condition.ts';
import { duplicates } from './duplicates.condition.ts';
import { excluded } from './excluded.condition.ts';
import type { Executor, Facts } from './executor.ts';
import { files } from './files.condition.ts';
import { folders } from './folders.condition.ts';
import { issues } from './issues.condition.ts';
import { created, mediaType, pixels } from './item-facts.condition.ts';
import { labels } from './labels.condition.ts';
import { map } from './map.condition.ts';
import { media } from './media.condition.ts';
import { metadata } from './metadata.condition.ts';
import { tags } from './tags.condition.ts';
import { uniqueness } from './uniqueness.condition.ts';
import { words } from './words.condition.ts';

/** Who decides which condition: a new kind is a file and a line here. */
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

/** Rows that meet a condition. */
export function decide(condition: Condition, facts: Facts): RowSet {
  // The compiler cannot see that a condition and its entry of the table have the same name.
  const executor = EXECUTORS[condition.name] as (condition: Condition, facts: Facts) => RowSet;
  return executor(condition, facts);
}

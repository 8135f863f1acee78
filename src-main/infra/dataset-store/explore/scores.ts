import type { Score } from '../../../core/ports/query.ts';
import { text } from '../texts/text.score.ts';
import { words } from '../texts/words.score.ts';
import { like, likeImage } from '../vectors/like.score.ts';
import type { ScoreKind } from './score-kind.ts';

type Kinds = { readonly [Name in Score['name']]: ScoreKind<Name> };

/** All kinds of scores. */
const SCORES: Kinds = { text, words, like, like_image: likeImage };

/** Returns the kind of a score. */
export function scoreKind({ name }: Score): ScoreKind<Score['name']> {
  // The compiler cannot infer that a score and its entry in the table have the same name.
  return SCORES[name] as ScoreKind<Score['name']>;
}

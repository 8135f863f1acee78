import { AppError } from '../../../contract/errors.ts';
import { message } from '../../../contract/messages.ts';
import { byKnown, byVectors, type ScoreKind } from '../explore/score-kind.ts';
import { greaterOf } from '../explore/similar-rows.ts';
import { ranksOfWords } from './word-ranks.ts';

/** Compares with the items by meaning, or with the captions of images. */
export const text: ScoreKind<'text'> = {
  vectorsOf: ({ of }, { vectors, entity_type }) => (of === 'items' ? vectors.of('meaning', entity_type) : undefined),
  load: ({ of }, { captionVectors }) => (of === 'captions' ? captionVectors.bringIn() : []),
  rank: ({ of, vector, words, least_similarity: above }, facts) => {
    const { entity_type, vectors, captionVectors } = facts;
    if (of === 'items') return { above, ...byVectors(vectors.of('meaning', entity_type), vector) };
    if (entity_type === 'OBJECTS') {
      throw new AppError('invalid_request', message('objects_without_captions'));
    }
    const byMeaning = captionVectors.whole().similarities(vector);
    if (words === undefined) return { above, ...byKnown(byMeaning) };
    const byWords = ranksOfWords({ query: words, columns: ['caption'] }, facts);
    return { above, ...byKnown(greaterOf(byMeaning, byWords)) };
  },
};

import { byKnown, leastSimilarity, type ScoreKind } from '../explore/score-kind.ts';
import { ranksOfWords } from './word-ranks.ts';

export const words: ScoreKind<'words'> = {
  rank: (score, facts) => {
    const fitting = ranksOfWords(score, facts);
    return { above: leastSimilarity(score.max_distance), ...byKnown(fitting), fitting };
  },
};

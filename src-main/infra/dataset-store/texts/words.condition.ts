import type { Executor } from '../explore/executor.ts';
import { rowsNearWords } from './full-text.ts';

export const words: Executor<'words'> = (condition, facts) =>
  rowsNearWords(condition, condition.max_distance ?? null, facts);

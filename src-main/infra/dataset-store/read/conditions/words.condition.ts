import { rowsWithWords } from '../full-text.ts';
import type { Executor } from './executor.ts';

export const words: Executor<'words'> = (condition, { db, entity_type, count }) =>
  rowsWithWords(db, entity_type, condition, count);

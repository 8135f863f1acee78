import { rowsWithWords } from '../full-text.ts';
import type { Executor } from './executor.ts';

export const words: Executor<'words'> = rowsWithWords;

import type { Executor } from '../explore/executor.ts';
import { rowsWithWords } from './full-text.ts';

export const words: Executor<'words'> = rowsWithWords;

import type { Migration } from '../../sqlite/open-database.ts';
import { initial } from './001-initial.ts';

/** Migrations of data.db in order of version. A migration that was released is never edited: add another. */
export const datasetMigrations: readonly Migration[] = [initial];

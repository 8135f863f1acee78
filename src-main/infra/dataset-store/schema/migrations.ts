import type { Migration } from '../../sqlite/open-database.ts';
import { initial } from './001-initial.ts';

/** Migrations of data.db in order of version. Never edit a released migration: add another. */
export const datasetMigrations: readonly Migration[] = [initial];

import type { Migration } from '../../sqlite/open-database.ts';
import { initial } from './001-initial.ts';
import { diskSpace } from './002-disk-space.ts';
import { frames } from './003-frames.ts';

/** Migrations of catalog.db in order of version. A migration that was released is never edited: add another. */
export const catalogMigrations: readonly Migration[] = [initial, diskSpace, frames];

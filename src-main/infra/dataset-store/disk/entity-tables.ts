import type { EntityType } from '../../../contract/schemas/explore.ts';

/** The table of an entity type's rows. */
export function entityTable(entityType: EntityType): 'media' | 'object' {
  return entityType === 'IMAGES' ? 'media' : 'object';
}

/** What people call them. */
export function entityWord(entityType: EntityType): string {
  return entityType === 'IMAGES' ? 'images' : 'objects';
}

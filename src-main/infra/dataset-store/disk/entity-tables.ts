import type { EntityType } from '../../../contract/schemas/explore.ts';

/** Returns the table with the rows of an entity type. */
export function entityTable(entityType: EntityType): 'media' | 'object' {
  return entityType === 'IMAGES' ? 'media' : 'object';
}

/** Returns the noun for an entity type in messages. */
export function entityWord(entityType: EntityType): string {
  return entityType === 'IMAGES' ? 'images' : 'objects';
}

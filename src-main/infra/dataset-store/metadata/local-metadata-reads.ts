import type { ExifProperty, MetadataValue } from '../../../contract/schemas/custom-metadata.ts';
import type { FieldRow, MetadataReads } from '../../../core/ports/metadata.ts';
import type { Answered } from '../../threads/answered.ts';
import type { CustomMetadataRepository } from './custom-metadata.repository.ts';

export class LocalMetadataReads implements Answered<MetadataReads> {
  readonly #rows: CustomMetadataRepository;

  constructor(rows: CustomMetadataRepository) {
    this.#rows = rows;
  }

  listFields(): FieldRow[] {
    return this.#rows.list();
  }

  findField(fieldId: string): FieldRow | undefined {
    return this.#rows.find(fieldId);
  }

  listExifProperties(): ExifProperty[] {
    return this.#rows.listExifProperties();
  }

  listValues(mediaIds: readonly string[]): Map<string, MetadataValue[]> {
    return this.#rows.listOf(mediaIds);
  }
}

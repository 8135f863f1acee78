import type { MetadataReads, MetadataWrites } from '../../../core/ports/metadata.ts';
import { type MethodTable, READ, WRITE } from '../thread/method-table.ts';

export const metadataMethods: MethodTable<MetadataReads, MetadataWrites> = {
  listFields: READ,
  findField: READ,
  listExifProperties: READ,
  listValues: READ,
  addFields: WRITE,
  beginValues: WRITE,
  readValues: WRITE,
  endValues: WRITE,
};

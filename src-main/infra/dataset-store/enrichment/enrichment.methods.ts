import type { EnrichmentReads, EnrichmentWrites } from '../../../core/ports/enrichment.ts';
import { type MethodTable, READ, WRITE } from '../thread/method-table.ts';

export const enrichmentMethods: MethodTable<EnrichmentReads, EnrichmentWrites> = {
  progress: READ,
  sampleImages: READ,
  countFailures: READ,
  listFailures: READ,
  listImages: WRITE,
  saveImages: WRITE,
  listObjects: WRITE,
  saveObjects: WRITE,
  finish: WRITE,
  beginMeaning: WRITE,
  dropMeaning: WRITE,
  importVectors: WRITE,
  listCaptions: WRITE,
  saveCaptionVectors: WRITE,
  beginWordTags: WRITE,
  listUntagged: WRITE,
  saveWordTags: WRITE,
  endWordTags: WRITE,
};

import { annotationMethods } from '../../../core/ports/annotations.ts';
import { changeMethods } from '../../../core/ports/changes.ts';
import { chartMethods } from '../../../core/ports/charts.ts';
import type { DatasetStore, StoreReads, StoreWrites } from '../../../core/ports/dataset-store.ts';
import { duplicateMethods } from '../../../core/ports/duplicates.ts';
import { editMethods } from '../../../core/ports/edits.ts';
import { enrichmentMethods } from '../../../core/ports/enrichment.ts';
import { exploreMethods } from '../../../core/ports/explore.ts';
import { intakeMethods } from '../../../core/ports/intake.ts';
import { issueMethods } from '../../../core/ports/issues.ts';
import { itemMethods } from '../../../core/ports/items.ts';
import { mapMethods } from '../../../core/ports/map.ts';
import { metadataMethods } from '../../../core/ports/metadata.ts';
import { pageMethods } from '../../../core/ports/pages.ts';
import { repairMethods } from '../../../core/ports/repairs.ts';
import { resultMethods } from '../../../core/ports/results.ts';
import { reviewMethods } from '../../../core/ports/reviews.ts';
import { snapshotMethods } from '../../../core/ports/snapshots.ts';
import type { Side, StoreMethods } from '../../../core/ports/store-methods.ts';
import { vectorMethods } from '../../../core/ports/vectors.ts';

export type Subject = keyof DatasetStore;

type MethodsOf<Name extends Subject> = StoreMethods<
  Name extends keyof StoreReads ? StoreReads[Name] : object,
  Name extends keyof StoreWrites ? StoreWrites[Name] : object
>;

const METHODS: { readonly [Name in Subject]: MethodsOf<Name> } = {
  items: itemMethods,
  explore: exploreMethods,
  pages: pageMethods,
  edits: editMethods,
  vectors: vectorMethods,
  duplicates: duplicateMethods,
  issues: issueMethods,
  reviews: reviewMethods,
  charts: chartMethods,
  map: mapMethods,
  snapshots: snapshotMethods,
  intake: intakeMethods,
  changes: changeMethods,
  annotations: annotationMethods,
  metadata: metadataMethods,
  enrichment: enrichmentMethods,
  results: resultMethods,
  repairs: repairMethods,
};

/** A method of the store, as the threads address it. */
export interface StoreMethod {
  subject: string;
  name: string;
  /** `subject.method`. */
  key: string;
  side: Side;
}

/** All methods of the store, in the order of {@link METHODS}. */
export const STORE_METHODS: readonly StoreMethod[] = Object.entries(METHODS).flatMap(([subject, methods]) =>
  Object.entries<Side>(methods).map(([name, side]) => ({ subject, name, key: `${subject}.${name}`, side })),
);

import type { DatasetStore, StoreReads, StoreWrites } from '../../../core/ports/dataset-store.ts';
import { annotationMethods } from '../annotations/annotation.methods.ts';
import { changeMethods } from '../changes/change.methods.ts';
import { chartMethods } from '../charts/charts.methods.ts';
import { duplicateMethods } from '../duplicates/duplicate.methods.ts';
import { editMethods } from '../edits/edit.methods.ts';
import { enrichmentMethods } from '../enrichment/enrichment.methods.ts';
import { exploreMethods } from '../explore/explore.methods.ts';
import { intakeMethods } from '../intake/intake.methods.ts';
import { issueMethods } from '../issues/issue.methods.ts';
import { itemMethods } from '../items/item.methods.ts';
import { mapMethods } from '../map/map.methods.ts';
import { metadataMethods } from '../metadata/metadata.methods.ts';
import { repairMethods } from '../repairs/repair.methods.ts';
import { reviewMethods } from '../reviews/review.methods.ts';
import { snapshotMethods } from '../snapshots/snapshot.methods.ts';
import { vectorMethods } from '../vectors/vector.methods.ts';
import type { MethodTable, ReadMethod, WriteMethod } from './method-table.ts';

export type Subject = keyof DatasetStore;

type MethodsOf<Name extends Subject> = MethodTable<
  Name extends keyof StoreReads ? StoreReads[Name] : object,
  Name extends keyof StoreWrites ? StoreWrites[Name] : object
>;

const METHODS: { readonly [Name in Subject]: MethodsOf<Name> } = {
  items: itemMethods,
  explore: exploreMethods,
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
  repairs: repairMethods,
};

/** A method of the store, as the threads address it. */
export interface StoreMethod {
  subject: string;
  name: string;
  /** `subject.method`. */
  key: string;
  method: ReadMethod | WriteMethod;
}

/** All methods of the store, in the order of {@link METHODS}. */
export const STORE_METHODS: readonly StoreMethod[] = Object.entries(METHODS).flatMap(([subject, methods]) =>
  Object.entries<ReadMethod | WriteMethod>(methods).map(([name, method]) => ({
    subject,
    name,
    key: `${subject}.${name}`,
    method,
  })),
);

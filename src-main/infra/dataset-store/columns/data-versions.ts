import type { MetaRepository } from '../disk/meta.repository.ts';

/**
 * [Note: Versions of columns]
 * Readers cache facts of all rows as typed columns. Appended rows extend a column. Changes of existing rows increment a version in the
 * database, which every thread sees, and readers load the column again.
 */
const ROWS = 'version:rows';
const ANNOTATIONS = 'version:annotations';
const EDITS = 'version:edits';
const VECTORS = 'version:vectors';
const DUPLICATES = 'version:duplicates';
const CLUSTER_EDITS = 'version:cluster_edits';

export class DataVersions {
  readonly #meta: MetaRepository;

  constructor(meta: MetaRepository) {
    this.#meta = meta;
  }

  /** Version of the liveness of rows, and of the data read from their files. */
  get rows(): number {
    return this.#read(ROWS);
  }

  /** Version of labels and captions. */
  get annotations(): number {
    return this.#read(ANNOTATIONS);
  }

  /** Version of users' edits: tags, labels, exclusion. */
  get edits(): number {
    return this.#read(EDITS);
  }

  /** Version of the vectors of existing rows. */
  get vectors(): number {
    return this.#read(VECTORS);
  }

  /** Version of the pairs of near-duplicates. */
  get duplicates(): number {
    return this.#read(DUPLICATES);
  }

  /** Version of users' edits of clusters: names, hidden and merged clusters. */
  get clusterEdits(): number {
    return this.#read(CLUSTER_EDITS);
  }

  /** Call when rows died or came back, or their files moved. */
  noteRows(): void {
    this.#meta.set(ROWS, this.rows + 1);
  }

  /** Call when labels or captions of rows changed. */
  noteAnnotations(): void {
    this.#meta.set(ANNOTATIONS, this.annotations + 1);
  }

  /** Call when users' edits of rows changed. */
  noteEdit(): void {
    this.#meta.set(EDITS, this.edits + 1);
  }

  /** Call when vectors of existing rows changed. */
  noteVectors(): void {
    this.#meta.set(VECTORS, this.vectors + 1);
  }

  /** Call when pairs of near-duplicates were added or deleted. */
  noteDuplicates(): void {
    this.#meta.set(DUPLICATES, this.duplicates + 1);
  }

  /** Call when users' edits of clusters changed. */
  noteClusterEdits(): void {
    this.#meta.set(CLUSTER_EDITS, this.clusterEdits + 1);
  }

  #read(key: string): number {
    return this.#meta.get<number>(key) ?? 0;
  }
}

import type { MetaRepository } from '../disk/meta.repository.ts';

/**
 * [Note: Versions of columns]
 * Readers keep facts of all rows as typed columns. Rows that were appended extend a column. What changes existing rows counts a version
 * up in the database, where every thread sees it, and readers load the column anew.
 */
const ROWS = 'version:rows';
const SAID = 'version:said';
const EDITS = 'version:edits';
const VECTORS = 'version:vectors';
const DUPLICATES = 'version:duplicates';

export class DataVersions {
  readonly #meta: MetaRepository;

  constructor(meta: MetaRepository) {
    this.#meta = meta;
  }

  /** Of which rows are alive, and of what was read from their files. */
  get rows(): number {
    return this.#read(ROWS);
  }

  /** Of labels and captions. */
  get said(): number {
    return this.#read(SAID);
  }

  /** Of what people say: tags, labels, exclusion. */
  get edits(): number {
    return this.#read(EDITS);
  }

  /** Of vectors that were there. */
  get vectors(): number {
    return this.#read(VECTORS);
  }

  /** Of pairs of near-duplicates. */
  get duplicates(): number {
    return this.#read(DUPLICATES);
  }

  /** Rows died or came back, or their files moved. */
  noteRows(): void {
    this.#meta.set(ROWS, this.rows + 1);
  }

  /** Labels or captions of rows changed. */
  noteSaid(): void {
    this.#meta.set(SAID, this.said + 1);
  }

  /** What people say of rows changed. */
  noteEdit(): void {
    this.#meta.set(EDITS, this.edits + 1);
  }

  /** Vectors of rows that were there are others now. */
  noteVectors(): void {
    this.#meta.set(VECTORS, this.vectors + 1);
  }

  /** Pairs of near-duplicates were found or forgotten. */
  noteDuplicates(): void {
    this.#meta.set(DUPLICATES, this.duplicates + 1);
  }

  #read(key: string): number {
    return this.#meta.get<number>(key) ?? 0;
  }
}

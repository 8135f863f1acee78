import type Database from 'better-sqlite3';
import type { LRUCache } from 'lru-cache';
import type { EntityType } from '../../../contract/schemas/explore.ts';
import type { ComparedPairs } from '../charts/compared-pairs.ts';
import type { ClusterIds } from '../clusters/cluster-ids.ts';
import type { Columns } from '../columns/columns.ts';
import type { DataVersions } from '../columns/data-versions.ts';
import type { FilledByPieces } from '../columns/filled-by-pieces.ts';
import type { ShownDuplicates } from '../duplicates/shown-duplicates.ts';
import type { EditedRows } from '../edits/edited-rows.ts';
import type { IssueScores } from '../issues/issue-scores.ts';
import type { MediaRepository } from '../items/media.repository.ts';
import type { ObjectRepository } from '../items/object.repository.ts';
import type { CurrentLabels } from '../labels/current-labels.ts';
import type { EffectiveLabels } from '../labels/effective-labels.ts';
import type { LabelNames } from '../labels/label-names.ts';
import type { Projections } from '../map/projections.ts';
import type { CustomValues } from '../metadata/custom-values.ts';
import type { CaptionTable } from '../texts/caption-table.ts';
import type { CaptionTexts } from '../texts/caption-texts.ts';
import type { IndexReader } from '../vectors/index-reader.ts';
import type { VectorSpaces } from '../vectors/vector-spaces.ts';
import type { SimilarRows } from './similar-rows.ts';

/** The readers of each subject, which conditions and scores are evaluated on. */
export interface SubjectReaders {
  db: Database.Database;
  versions: DataVersions;
  index: IndexReader;
  media: MediaRepository;
  objects: ObjectRepository;
  labelNames: LabelNames;
  edits: EditedRows;
  metadata: CustomValues;
  captions: CaptionTexts;
  captionVectors: FilledByPieces<CaptionTable>;
  /** Cached rankings by words. */
  wordRanks: LRUCache<string, SimilarRows>;
  issues: IssueScores;
  projections: Projections;
  pairs: ComparedPairs;
  clusterIds: ClusterIds;
  duplicates: ShownDuplicates;
  vectors: VectorSpaces;
}

/** Data of the indexed rows of an entity type, at one moment. */
export interface Facts extends SubjectReaders {
  entity_type: EntityType;
  /** First of the rows to evaluate: `first` … count - 1. Results for earlier rows are ignored. */
  first: number;
  count: number;
  /** Number of rows of items, and of objects. */
  nItems: number;
  nObjects: number;
  columns: ReturnType<Columns['read']>;
  /** Labels from models as they are shown by default. */
  labels: EffectiveLabels;
  /** Returns the labels with a minimum confidence of those from models; undefined for the default. */
  labelsFrom(least: number | undefined): EffectiveLabels;
  /** By row of the entity type: 0 has an exact duplicate … 1 is unlike any other. */
  uniqueness: Float32Array;
}

/** Reads the facts of rows. */
export class RowFacts {
  readonly #readers: SubjectReaders;
  readonly #columns: Columns;
  readonly #labels: CurrentLabels;

  constructor(readers: SubjectReaders, columns: Columns, labels: CurrentLabels) {
    this.#readers = readers;
    this.#columns = columns;
    this.#labels = labels;
  }

  /** @param first The first row to evaluate. */
  of(entityType: EntityType, first = 0): Facts {
    const { index } = this.#readers;
    const counts = { IMAGES: index.count('IMAGES'), OBJECTS: index.count('OBJECTS') };
    const columns = this.#columns.read(counts);
    return {
      ...this.#readers,
      entity_type: entityType,
      first,
      count: counts[entityType],
      nItems: counts.IMAGES,
      nObjects: counts.OBJECTS,
      columns,
      labels: this.#labels.of(columns, counts)[entityType],
      labelsFrom: (least) => this.#labels.of(columns, counts, least)[entityType],
      uniqueness: index.scores(entityType),
    };
  }
}

import type Database from 'better-sqlite3';
import type { EntityType } from '../../../contract/schemas/explore.ts';
import { type Condition, EXCLUDED } from '../../../core/ports/query.ts';
import type { RowSet } from '../../vectors/row-set.ts';
import type { ClusterIds } from '../clusters/cluster-ids.ts';
import type { ClusterIndex } from '../clusters/cluster-index.ts';
import type { Columns } from '../columns/columns.ts';
import type { DataVersions } from '../columns/data-versions.ts';
import type { GroupedRows } from '../duplicates/copy-groups.ts';
import type { CopyIndex } from '../duplicates/copy-index.ts';
import type { DuplicateGroups } from '../duplicates/duplicate-groups.ts';
import type { EditedRows } from '../edits/edited-rows.ts';
import { IssueScores } from '../issues/issue-scores.ts';
import { type EffectiveLabels, effectiveLabels } from '../labels/effective-labels.ts';
import { LabelNames } from '../labels/label-names.ts';
import type { Projections } from '../map/projections.ts';
import type { CustomValues } from '../metadata/custom-values.ts';
import { CaptionTexts } from '../texts/caption-texts.ts';
import type { IndexReader } from '../vectors/index-reader.ts';
import type { VectorSpaces } from '../vectors/vector-spaces.ts';
import type { Facts } from './condition-kind.ts';
import { kindOf } from './conditions.ts';

/** Maximum number of cached bitmaps of conditions: 128 kB each at a million rows. */
const MOST_KEPT = 64;

/** Finds the rows of the published index that meet conditions: one bitmap per condition, cached until the data changes. */
export class RowMatcher {
  readonly #db: Database.Database;
  readonly #versions: DataVersions;
  readonly #index: IndexReader;
  readonly #columns: Columns;
  readonly #edits: EditedRows;
  readonly #custom: CustomValues;
  readonly #clusterIds: ClusterIds;
  readonly #projections: Projections;
  readonly #duplicates: DuplicateGroups;
  readonly #labelNames: LabelNames;
  readonly #captions: CaptionTexts;
  readonly issues: IssueScores;
  #labels: { state: string; labels: Record<EntityType, EffectiveLabels> } | undefined;
  /** Cached bitmaps, least recently used first. */
  readonly #kept = new Map<string, RowSet>();
  #keptOf = '';

  constructor(parts: {
    db: Database.Database;
    versions: DataVersions;
    index: IndexReader;
    columns: Columns;
    edits: EditedRows;
    custom: CustomValues;
    duplicates: DuplicateGroups;
    clusterIds: ClusterIds;
    projections: Projections;
    vectors: VectorSpaces;
  }) {
    this.#db = parts.db;
    this.#versions = parts.versions;
    this.#index = parts.index;
    this.#columns = parts.columns;
    this.#edits = parts.edits;
    this.#custom = parts.custom;
    this.#clusterIds = parts.clusterIds;
    this.#projections = parts.projections;
    this.#duplicates = parts.duplicates;
    this.#labelNames = new LabelNames(parts.db);
    this.#captions = new CaptionTexts(parts);
    this.issues = new IssueScores(parts);
  }

  /** Returns the living rows, including excluded ones. */
  alive(entityType: EntityType): RowSet {
    return this.#index.alive(entityType);
  }

  /**
   * Returns the living rows that meet all conditions. Excluded rows are included only if a condition asks for them.
   * @param first The first wanted row.
   */
  match(entityType: EntityType, conditions: readonly Condition[], first = 0): RowSet {
    const facts = { ...this.facts(entityType), first };
    const alive = this.#index.alive(entityType).from(first);
    const shown = conditions.some(({ name }) => name === 'excluded')
      ? alive
      : alive.without(this.#decide(EXCLUDED, facts));
    return this.narrow(shown, conditions, facts);
  }

  /** Returns those of `rows` that meet all conditions. */
  narrow(rows: RowSet, conditions: readonly Condition[], facts: Facts): RowSet {
    return conditions.reduce((left, condition) => left.and(this.#decide(condition, facts)), rows);
  }

  facts(entityType: EntityType): Facts {
    const counts = { IMAGES: this.#index.count('IMAGES'), OBJECTS: this.#index.count('OBJECTS') };
    const columns = this.#columns.read(counts);
    return {
      db: this.#db,
      entity_type: entityType,
      first: 0,
      count: counts[entityType],
      nItems: counts.IMAGES,
      columns,
      labels: this.#effectiveLabels(columns, counts)[entityType],
      labelNames: this.#labelNames,
      edits: this.#edits,
      metadata: this.#custom,
      captions: this.#captions,
      uniqueness: this.#index.scores(entityType),
      issues: this.issues,
      map: () => this.#map(entityType),
      rowsOfCluster: (clusterId) => this.#rowsOfCluster(entityType, clusterId),
      duplicatesAt: (threshold) => this.duplicates(threshold),
      makeDuplicates: () => this.#duplicates.make(),
      duplicateConfidences: () => this.#duplicates.confidences(this.match('IMAGES', [])),
    };
  }

  /** Returns groups of duplicates among the shown items. */
  duplicates(threshold: number): CopyIndex {
    return this.#duplicates.ofItems(threshold, this.#grouped());
  }

  /** Returns groups of duplicate videos among the shown ones. */
  duplicateVideos(threshold: number): ClusterIndex {
    return this.#duplicates.ofVideos(threshold, this.#grouped());
  }

  /** Returns groups of shown items that are connected by duplicates, directly or through others. */
  connected(threshold: number): ClusterIndex {
    return this.#duplicates.connected(threshold, this.#grouped());
  }

  #grouped(): GroupedRows {
    return {
      rows: this.match('IMAGES', []),
      state: `${this.#state()} ${this.#edits.state}`,
      videoOf: this.facts('IMAGES').columns.items.videoOf,
    };
  }

  #map(entityType: EntityType): ReturnType<Facts['map']> {
    const projection = this.#projections.of(entityType);
    const id = this.#projections.idOf(entityType);
    return projection && id !== undefined ? { id, places: projection.places } : undefined;
  }

  #rowsOfCluster(entityType: EntityType, clusterId: string): Int32Array {
    const key = this.#clusterIds.decode(clusterId);
    const clusters = key?.entity_type === entityType ? this.#index.clusters(entityType, key.level) : undefined;
    const cluster = key && clusters ? clusters.clusterOf(key.first_row) : -1;
    return clusters && cluster >= 0 && clusters.firstRow(cluster) === key?.first_row
      ? clusters.rows(cluster)
      : new Int32Array();
  }

  #state(): string {
    const { rows, said, duplicates } = this.#versions;
    return `${rows} ${said} ${duplicates} ${this.#index.state()} ${this.#projections.state()}`;
  }

  #effectiveLabels(
    columns: ReturnType<Columns['read']>,
    counts: Record<EntityType, number>,
  ): Record<EntityType, EffectiveLabels> {
    const state = `${this.#versions.said} ${this.#edits.state} ${counts.IMAGES} ${counts.OBJECTS}`;
    if (this.#labels?.state !== state) {
      const { labels: stored, imageOf } = columns;
      this.#labels = { state, labels: effectiveLabels({ stored, counts, imageOf, edits: this.#edits }) };
    }
    return this.#labels.labels;
  }

  #decide(condition: Condition, facts: Facts): RowSet {
    const state = this.#state();
    if (state !== this.#keptOf) this.#kept.clear();
    this.#keptOf = state;
    const kind = kindOf(condition);
    const key = JSON.stringify([facts.entity_type, condition, kind.stateOf?.(condition, facts)]);
    const known = this.#kept.get(key);
    const rows = known ?? kind.rows(condition, facts);
    // A result for part of the rows is used only once, so it is not cached.
    if (!known && facts.first > 0) return rows;
    this.#kept.delete(key);
    this.#kept.set(key, rows);
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= MOST_KEPT) break;
      this.#kept.delete(oldest);
    }
    return rows;
  }
}

import type Database from 'better-sqlite3';
import { LRUCache } from 'lru-cache';
import type { EntityType } from '../../../contract/schemas/explore.ts';
import {
  ISSUES,
  ISSUES_OF_OBJECTS,
  type IssueCounts,
  type IssueName,
  SURE_OF_ISSUE,
} from '../../../contract/schemas/issues.ts';
import type { IssueLimits } from '../../../core/ports/issue-limits.ts';
import type { FoundIssue } from '../../../core/ports/issues.ts';
import { RowSet } from '../../vectors/row-set.ts';
import type { Columns } from '../columns/columns.ts';
import type { DataVersions } from '../columns/data-versions.ts';
import { allOf, forEachInPieces } from '../columns/pieces.ts';
import type { ShownDuplicates } from '../duplicates/shown-duplicates.ts';
import type { EditedRows } from '../edits/edited-rows.ts';
import type { IndexReader } from '../vectors/index-reader.ts';
import type { VectorSpaces } from '../vectors/vector-spaces.ts';
import { confidenceBelow } from './confidence.ts';
import { oddSizes, outliers } from './distribution-issues.ts';
import { type LabelIssues, labelIssues } from './label-issues.ts';
import { type LabelTable, ownLabels } from './label-table.ts';
import { MeasuredScores } from './measured-scores.ts';

/** Maximum number of cached columns: 4 MB each at a million rows. */
const MAX_CACHED = 24;

type LabelIssue = 'mislabels' | 'label_outlier';
/** Issues whose columns are computed without the vector engine. */
type MeasuredIssue = Exclude<IssueName, LabelIssue>;

type FoundLabels = LabelIssues & Pick<LabelTable, 'names'>;

/** Label issues that are computed or being computed. */
interface LabelWork {
  state: string;
  pieces: AsyncGenerator<void, FoundLabels>;
  found?: FoundLabels;
}

/** Rows whose issues are computed. */
interface DecidedRows {
  entity_type: EntityType;
  /** Number of rows of the entity type. */
  count: number;
  nItems: number;
  columns: ReturnType<Columns['read']>;
  duplicates: Pick<ShownDuplicates, 'load' | 'confidences'>;
}

interface Parts {
  db: Database.Database;
  versions: DataVersions;
  index: IndexReader;
  edits: EditedRows;
  vectors: VectorSpaces;
}

/**
 * Confidence of each issue for each row, as typed columns that are cached until the data changes: [Note: Issues]. Columns are computed in
 * chunks of some milliseconds, or at once when a missing column is read. Label issues ask the vector engine for neighbours, so calls that
 * read them must declare them: [Note: Needs of a call].
 */
export class IssueScores {
  readonly #parts: Parts;
  #measured: { state: string; scores: MeasuredScores } | undefined;
  readonly #kept = new LRUCache<string, Float32Array>({ max: MAX_CACHED });
  readonly #labels = new Map<string, LabelWork>();
  /** Rows that have an issue, by its column. Counting these takes a hundredth of the time of reading all confidences. */
  readonly #sure = new WeakMap<Float32Array, RowSet>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /**
   * Returns the confidences of an issue by row; values of rows that no longer exist are meaningless.
   * @throws Error for label issues that were not computed before by {@link make}.
   */
  of(issue: IssueName, limits: IssueLimits, facts: DecidedRows): Float32Array {
    return isOfLabels(issue) ? this.#madeLabels(limits, facts)[issue] : allOf(this.#make(issue, limits, facts));
  }

  /** Computes columns in chunks before they are read. */
  async *make(issues: readonly IssueName[], limits: IssueLimits, factsOf: () => DecidedRows): AsyncGenerator<void> {
    for (const issue of issues) {
      const facts = factsOf();
      if (isOfLabels(issue)) this.#rowsWith((yield* this.#makeLabels(limits, facts))[issue]);
      else this.#rowsWith(yield* this.#make(issue, limits, facts));
      yield;
    }
  }

  *#make(issue: MeasuredIssue, limits: IssueLimits, facts: DecidedRows): Generator<void, Float32Array> {
    const { versions, index, edits } = this.#parts;
    const state = [versions.rows, index.state(), facts.nItems, facts.count, limits];
    const pairs = issue === 'duplicates' ? [versions.duplicates, edits.state] : [];
    const key = JSON.stringify([issue, facts.entity_type, state, pairs]);
    const known = this.#kept.get(key);
    if (known) return known;
    const column = yield* this.#column(issue, limits, facts);
    this.#kept.set(key, column);
    return column;
  }

  /** Returns the highest confidence of any issue, for each row. */
  worst(limits: IssueLimits, facts: DecidedRows): Float32Array {
    const worst = new Float32Array(facts.count);
    for (const issue of ISSUES) {
      const confidences = this.of(issue, limits, facts);
      for (let row = 0; row < worst.length; row += 1) {
        worst[row] = Math.max(worst[row] as number, confidences[row] as number);
      }
    }
    return worst;
  }

  /** Counts how many of some rows have each issue, and how many have none. */
  count(rows: RowSet, limits: IssueLimits, facts: DecidedRows): IssueCounts {
    const having = ISSUES.map((name) => ({ name, rows: this.#rowsWith(this.of(name, limits, facts)) }));
    const normal = having.reduce((left, issue) => left.without(issue.rows), rows);
    const all = [
      ...having.map((issue) => ({ name: issue.name, count: issue.rows.countIn(rows) })),
      { name: 'normal', count: normal.count } as const,
    ];
    return all.filter(({ count }) => count > 0);
  }

  #rowsWith(confidences: Float32Array): RowSet {
    const known = this.#sure.get(confidences);
    if (known) return known;
    const rows = RowSet.where(confidences.length, (row) => (confidences[row] as number) >= SURE_OF_ISSUE);
    this.#sure.set(confidences, rows);
    return rows;
  }

  /** Returns the issues of each row, highest confidence first. A mislabel includes the label that the row's neighbours have instead. */
  ofRows(
    limits: IssueLimits,
    facts: DecidedRows,
    issues: readonly IssueName[] = ISSUES,
  ): (row: number) => FoundIssue[] {
    const columns = issues.map((issue) => ({ issue, confidences: this.of(issue, limits, facts) }));
    const labels = issues.includes('mislabels') ? this.#madeLabels(limits, facts) : undefined;
    const labelInstead = (row: number) => labels?.names[labels.instead[row] ?? -1] ?? null;
    const isByAppearance = this.#parts.index.shownSpace(facts.entity_type) === 'looks';
    const ofNeighbors: readonly IssueName[] = isByAppearance ? ISSUES_OF_OBJECTS : [];
    return (row) =>
      columns
        .map(({ issue, confidences }) => ({ issue, confidence: confidences[row] ?? 0 }))
        .filter(({ confidence }) => confidence >= SURE_OF_ISSUE)
        .sort((a, b) => b.confidence - a.confidence)
        .map((one) => ({
          ...one,
          instead: one.issue === 'mislabels' ? labelInstead(row) : null,
          by_appearance: ofNeighbors.includes(one.issue),
        }));
  }

  *#column(issue: MeasuredIssue, limits: IssueLimits, facts: DecidedRows): Generator<void, Float32Array> {
    const { index } = this.#parts;
    const { entity_type, count, nItems, columns } = facts;
    if (issue === 'outliers') {
      return yield* outliers(index.neighborDistances(entity_type), index.alive(entity_type), count, limits.outliers);
    }
    const ofItems = yield* this.#ofItems(issue, limits, facts);
    if (entity_type === 'IMAGES') return ofItems;
    const { imageOf } = columns;
    const confidences = new Float32Array(count);
    yield* forEachInPieces(count, (row) => {
      const image = imageOf[row] ?? -1;
      if (image >= 0 && image < nItems) confidences[row] = ofItems[image] as number;
    });
    return confidences;
  }

  *#ofItems(
    issue: Exclude<MeasuredIssue, 'outliers'>,
    limits: IssueLimits,
    { nItems, columns, duplicates }: DecidedRows,
  ): Generator<void, Float32Array> {
    const { index } = this.#parts;
    const { items } = columns;
    if (issue === 'odd_size') return yield* oddSizes(items, index.alive('IMAGES'), nItems, limits.odd_size);
    if (issue === 'odd_aspect_ratio') {
      const confidences = new Float32Array(nItems);
      yield* forEachInPieces(nItems, (row) => {
        const [width, height] = [items.widths[row] ?? 0, items.heights[row] ?? 0];
        const ratio = Math.min(width, height) / Math.max(1, width, height);
        confidences[row] = confidenceBelow(ratio, limits.odd_aspect_ratio);
      });
      return confidences;
    }
    if (issue === 'duplicates') {
      yield* duplicates.load();
      const confidences = new Float32Array(nItems);
      for (const [row, confidence] of duplicates.confidences()) {
        if (row < nItems && confidence >= limits.duplicates) confidences[row] = confidence;
      }
      return confidences;
    }
    const measured = this.#measuredBy(limits);
    while (!measured.extend(nItems)) yield;
    return measured.columns[issue].subarray(0, nItems);
  }

  #measuredBy(limits: IssueLimits): MeasuredScores {
    const { db, versions } = this.#parts;
    const state = JSON.stringify([versions.rows, limits]);
    if (this.#measured?.state !== state) this.#measured = { state, scores: new MeasuredScores(db, limits) };
    return this.#measured.scores;
  }

  /** Computes label issues. Simultaneous calls share the work. */
  async *#makeLabels(limits: IssueLimits, facts: DecidedRows): AsyncGenerator<void, FoundLabels> {
    const state = this.#labelState(limits, facts);
    let work = this.#labels.get(facts.entity_type);
    if (work?.state !== state) {
      work = { state, pieces: this.#findLabelIssues(limits, facts) };
      this.#labels.set(facts.entity_type, work);
    }
    try {
      while (!work.found) {
        const { done, value } = await work.pieces.next();
        if (!done) yield;
        else if (value) work.found = value;
        else if (!work.found) throw new Error('the label issues were given up');
      }
    } catch (error) {
      this.#labels.delete(facts.entity_type);
      throw error;
    }
    return work.found;
  }

  #madeLabels(limits: IssueLimits, facts: DecidedRows): FoundLabels {
    const work = this.#labels.get(facts.entity_type);
    if (!work?.found || work.state !== this.#labelState(limits, facts)) {
      throw new Error('A call reads label issues that its needs do not declare');
    }
    return work.found;
  }

  #labelState(limits: IssueLimits, { entity_type, count }: DecidedRows): string {
    const { versions, index, edits } = this.#parts;
    const edited = edits.labelState(entity_type);
    return JSON.stringify([versions.rows, versions.annotations, edited, index.state(), count, limits.outliers]);
  }

  async *#findLabelIssues(
    limits: IssueLimits,
    { entity_type, count, columns }: DecidedRows,
  ): AsyncGenerator<void, FoundLabels> {
    const { index, edits, vectors } = this.#parts;
    const table = ownLabels(entity_type, columns.labels[entity_type], edits.labels(entity_type, count), count);
    yield;
    const space = index.shownSpace(entity_type);
    const indexed = table.labels.length > 0 ? index.published(space, entity_type) : undefined;
    const blocks = indexed ? vectors.of(space, entity_type).neighbors(indexed) : [];
    const found = yield* labelIssues(blocks, table, index.alive(entity_type), count, limits.outliers);
    return { ...found, names: table.names };
  }
}

function isOfLabels(issue: IssueName): issue is LabelIssue {
  return issue === 'mislabels' || issue === 'label_outlier';
}

import type { EntityType } from '../../../contract/schemas/explore.ts';
import type { Verdict } from '../../../contract/schemas/review.ts';
import { RowSet } from '../../vectors/row-set.ts';
import type { DataVersions } from '../columns/data-versions.ts';
import type { RowSetRepository, SetKind, SetRow } from './row-set.repository.ts';
import { BLOCK_ROWS } from './set-block.ts';
import { printTagTime } from './tag-time.ts';
import { parseVerdict, type VerdictName } from './verdict-name.ts';

/** Maximum number of cached blocks of times, 256 KiB each. */
const MAX_TIME_BLOCKS = 16;

/** A user's correction of one label: the rows with and without it. */
export interface LabelVerdict {
  has: RowSet;
  hasNot: RowSet;
}

/** A user's corrections of the labels of one row. */
export interface LabelVerdicts {
  has: string[];
  hasNot: string[];
}

/** Rows with a verdict in a queue of the review. */
export interface ReviewedRows {
  queue_id: string;
  verdict: Verdict | undefined;
}

export interface AssignedTag {
  tag_id: string;
  /** The set with the row, from which {@link EditedRows.assignedAt} reads the time. */
  set: SetRow;
}

/** Users' edits of rows, as bitmaps that are cached until they change: [Note: Sets of rows]. */
export class EditedRows {
  readonly #rowSets: RowSetRepository;
  readonly #versions: DataVersions;
  readonly #kept = new Map<number, { version: number; rows: RowSet }>();
  readonly #times = new Map<string, Float64Array>();
  #listed: { state: string; sets: SetRow[] } = { state: '', sets: [] };

  constructor(rowSets: RowSetRepository, versions: DataVersions) {
    this.#rowSets = rowSets;
    this.#versions = versions;
  }

  /** Changes whenever any edit changes. */
  get state(): string {
    return `${this.#versions.rows} ${this.#versions.edits}`;
  }

  get isEmpty(): boolean {
    return this.#sets().length === 0;
  }

  /** Changes whenever a correction of labels changes. */
  labelState(entityType: EntityType): string {
    const sets = (['label', 'not_label'] as const).flatMap((kind) => this.#setsOf(entityType, kind));
    return [this.#versions.rows, ...sets.map(({ set_id, version }) => `${set_id}:${version}`)].join(' ');
  }

  /** Returns the rows below `size` that have a tag. */
  tagged(entityType: EntityType, tagId: string, size: number): RowSet {
    return this.#union(this.#setsOf(entityType, 'tag', tagId), size);
  }

  /** Returns the rows below `size` that have any tag. */
  taggedAtAll(entityType: EntityType, size: number): RowSet {
    return this.#union(this.#setsOf(entityType, 'tag'), size);
  }

  excluded(entityType: EntityType, size: number): RowSet {
    return this.#union(this.#setsOf(entityType, 'excluded'), size);
  }

  /** Returns the rows below `size` with a verdict in a queue of the review, or with this one. */
  reviewed(entityType: EntityType, { queue_id, verdict }: ReviewedRows, size: number): RowSet {
    const sets = this.#setsOf(entityType, 'verdict').filter(({ name }) => {
      const of = parseVerdict(name);
      return of.queue_id === queue_id && (verdict === undefined || of.verdict === verdict);
    });
    return this.#union(sets, size);
  }

  /** Returns the rows below `size` of each verdict in a queue of the review. */
  verdicts(entityType: EntityType, queueId: string, size: number): (VerdictName & { rows: RowSet })[] {
    return this.#setsOf(entityType, 'verdict')
      .map((set) => ({ set, ...parseVerdict(set.name) }))
      .filter(({ queue_id }) => queue_id === queueId)
      .map(({ set, ...name }) => ({ ...name, rows: this.#union([set], size) }));
  }

  /** Returns the labels that users corrected, each with the corrected rows below `size`. */
  labels(entityType: EntityType, size: number): Map<string, LabelVerdict> {
    const names = new Set(['label' as const, 'not_label' as const].flatMap((kind) => this.#names(entityType, kind)));
    return new Map(
      [...names].map((name) => [
        name,
        {
          has: this.#union(this.#setsOf(entityType, 'label', name), size),
          hasNot: this.#union(this.#setsOf(entityType, 'not_label', name), size),
        },
      ]),
    );
  }

  /** Returns the tags of one row. */
  tagsOf(entityType: EntityType, row: number): AssignedTag[] {
    return this.tagReader(entityType, row + 1)(row);
  }

  /** Returns a function that returns the tags of any row below `size`. */
  tagReader(entityType: EntityType, size: number): (row: number) => AssignedTag[] {
    const setsWith = this.#setReader(entityType, 'tag', size);
    return (row) => setsWith(row).map((set) => ({ tag_id: set.name, set }));
  }

  /** Returns when a tag was assigned to a row, as an ISO 8601 datetime in UTC. */
  assignedAt({ set: { set_id, version, day } }: AssignedTag, row: number): string {
    const block = Math.floor(row / BLOCK_ROWS);
    const key = `${set_id} ${version} ${block}`;
    const times = this.#times.get(key) ?? this.#rowSets.times.read(set_id, block);
    this.#times.delete(key);
    this.#times.set(key, times);
    const [oldest] = this.#times.keys();
    if (this.#times.size > MAX_TIME_BLOCKS && oldest !== undefined) this.#times.delete(oldest);
    return printTagTime({ day, microseconds: times[row % BLOCK_ROWS] ?? 0 });
  }

  /** Returns users' corrections of the labels of one row. */
  labelsOf(entityType: EntityType, row: number): LabelVerdicts {
    return this.labelReader(entityType, row + 1)(row);
  }

  /** Returns a function that returns users' corrections of the labels of any row below `size`. */
  labelReader(entityType: EntityType, size: number): (row: number) => LabelVerdicts {
    const setsWith = this.#setReader(entityType, 'label', size);
    const setsWithout = this.#setReader(entityType, 'not_label', size);
    const nameOf = ({ name }: SetRow) => name;
    return (row) => ({ has: setsWith(row).map(nameOf), hasNot: setsWithout(row).map(nameOf) });
  }

  isExcluded(entityType: EntityType, row: number): boolean {
    return this.#setReader(entityType, 'excluded', row + 1)(row).length > 0;
  }

  /** Returns a function that returns the sets with a row below `size`. The list of sets is read once. */
  #setReader(entityType: EntityType, kind: SetKind, size: number): (row: number) => SetRow[] {
    const sets = this.#setsOf(entityType, kind).map((set) => ({ set, rows: this.#atLeast(set, size) }));
    return (row) => sets.flatMap(({ set, rows }) => (rows.has(row) ? [set] : []));
  }

  #names(entityType: EntityType, kind: SetKind): string[] {
    return this.#setsOf(entityType, kind).map(({ name }) => name);
  }

  #setsOf(entityType: EntityType, kind: SetKind, name?: string): SetRow[] {
    return this.#sets().filter(
      (set) => set.entity_type === entityType && set.kind === kind && (name === undefined || set.name === name),
    );
  }

  #sets(): SetRow[] {
    const { state } = this;
    if (this.#listed.state !== state) {
      this.#listed = { state, sets: this.#rowSets.list() };
      const there = new Set(this.#listed.sets.map(({ set_id }) => set_id));
      for (const setId of this.#kept.keys()) if (!there.has(setId)) this.#kept.delete(setId);
    }
    return this.#listed.sets;
  }

  #union(sets: readonly SetRow[], size: number): RowSet {
    const [first, ...others] = sets.map((set) => this.#atLeast(set, size).below(size));
    return others.reduce((rows, more) => rows.or(more), first ?? new RowSet(size));
  }

  /** Returns the rows of a set, at least those below `size`: whole blocks, so that the next rows need no further read. */
  #atLeast({ set_id, version }: SetRow, size: number): RowSet {
    const known = this.#kept.get(set_id);
    if (known?.version === version && known.rows.size >= size) return known.rows;
    const rows = this.#rowSets.read(set_id, Math.ceil(size / BLOCK_ROWS) * BLOCK_ROWS);
    this.#kept.set(set_id, { version, rows });
    return rows;
  }
}

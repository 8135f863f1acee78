import type { PagePresenter } from '../../../core/ports/pages.ts';
import { methodOf } from '../../threads/thread-messages.ts';
import type { ServedMethods } from '../../threads/thread-port.ts';
import type { openVectorEngine } from '../../vectors/open-engine.ts';
import { LocalAnnotationReads } from '../annotations/local-annotation-reads.ts';
import { LocalChangeReads } from '../changes/local-change-reads.ts';
import { LocalChartReads } from '../charts/local-chart-reads.ts';
import { LocalDuplicateReads } from '../duplicates/local-duplicate-reads.ts';
import { LocalEditReads } from '../edits/local-edit-reads.ts';
import { LocalEnrichmentReads } from '../enrichment/local-enrichment-reads.ts';
import { LocalExploreReads } from '../explore/local-explore-reads.ts';
import { LocalPageReads } from '../explore/local-page-reads.ts';
import { PlanLoader } from '../explore/plan-loader.ts';
import type { ExportedItems } from '../exports/exported-items.ts';
import { LocalIntakeReads } from '../intake/local-intake-reads.ts';
import { LocalIssueReads } from '../issues/local-issue-reads.ts';
import { LocalItemReads } from '../items/local-item-reads.ts';
import { LocalMapReads } from '../map/local-map-reads.ts';
import { LocalMetadataReads } from '../metadata/local-metadata-reads.ts';
import { LocalReviewReads } from '../reviews/local-review-reads.ts';
import { LocalVectorReads } from '../vectors/local-vector-reads.ts';
import { MethodRegistry } from './method-registry.ts';
import type { Needs } from './needs.ts';
import { openReaders, type ReadSubjects } from './open-readers.ts';
import { ENOUGH } from './served-generation.ts';
import type { ReaderStart } from './store-location.ts';

/** Built and checked when the thread starts. */
const REGISTRY = new MethodRegistry<ReadSubjects>('read', [
  ['items', LocalItemReads],
  ['explore', LocalExploreReads],
  ['pages', LocalPageReads],
  ['edits', LocalEditReads],
  ['vectors', LocalVectorReads],
  ['duplicates', LocalDuplicateReads],
  ['issues', LocalIssueReads],
  ['reviews', LocalReviewReads],
  ['charts', LocalChartReads],
  ['map', LocalMapReads],
  ['intake', LocalIntakeReads],
  ['changes', LocalChangeReads],
  ['annotations', LocalAnnotationReads],
  ['metadata', LocalMetadataReads],
  ['enrichment', LocalEnrichmentReads],
]);

type Opened = ReturnType<typeof openReaders>;

/** Reads one generation of a dataset over its own connection, after a writer has opened the generation. */
export class GenerationReader {
  readonly #opened: Opened;
  readonly #loader: PlanLoader;
  readonly subjects: Opened['subjects'];
  /** Methods by `subject.method`. */
  readonly methods: ServedMethods;

  constructor(start: ReaderStart, openEngine?: typeof openVectorEngine, presenter?: PagePresenter) {
    this.#opened = openReaders(start, openEngine, presenter);
    this.#loader = new PlanLoader(this.#opened.rowFacts);
    this.subjects = this.#opened.subjects;
    this.methods = REGISTRY.bind(this.subjects);
  }

  /**
   * Returns the data that a call needs loaded before it runs, or undefined for none.
   * @param key `subject.method`.
   */
  static needsOf(key: string, args: readonly unknown[]): Needs | undefined {
    return REGISTRY.needsOf(key, args);
  }

  /** Reads items page by page, for exports. */
  get exported(): ExportedItems {
    return this.#opened.exported;
  }

  close(): void {
    const { engine, db } = this.#opened;
    void engine.close();
    db.close();
  }

  /** Runs `work` in one read transaction, so that it sees one state of the dataset, whatever is committed meanwhile. */
  async atOneMoment(work: () => unknown): Promise<unknown> {
    const { db, meta } = this.#opened;
    db.exec('BEGIN');
    meta.hold();
    try {
      return await work();
    } finally {
      meta.release();
      db.exec('COMMIT');
    }
  }

  /**
   * Calls a method in one read transaction, after loading what its needs lack in that transaction.
   * @param key `subject.method`.
   */
  call(key: string, args: readonly unknown[]): Promise<unknown> {
    return this.atOneMoment(async () => {
      const needs = REGISTRY.needsOf(key, args);
      const chunks = needs && this.prepare(needs);
      for await (const chunk of chunks ?? []) if (chunk === ENOUGH) break;
      return methodOf(this.methods, key)(...args);
    });
  }

  /**
   * Whether a call may wait for the vector engine: it asks the engine, or needs data that takes long to load.
   * @param key `subject.method`.
   */
  mayWait(key: string, args: readonly unknown[]): boolean {
    const needs = REGISTRY.needsOf(key, args);
    return needs !== undefined && (needs.asksEngine === true || this.prepare(needs) !== undefined);
  }

  /** Loads the data of needs in chunks; undefined if there is none: [Note: Needs of a call]. */
  prepare({ plans, issues }: Needs): AsyncGenerator<unknown> | undefined {
    const loaded = plans.filter((plan) => this.#loader.isNeeded(plan));
    return loaded.length + issues.length > 0 ? this.#load({ plans: loaded, issues }) : undefined;
  }

  /** After {@link ENOUGH}, loads the data that similar later calls read. */
  async *#load({ plans, issues }: Needs): AsyncGenerator<unknown> {
    for (const plan of plans) yield* this.#loader.load(plan);
    for (const needed of issues) yield* this.#loader.loadIssues(needed);
    yield ENOUGH;
    for (const plan of plans) yield* this.#loader.loadLater(plan);
  }
}

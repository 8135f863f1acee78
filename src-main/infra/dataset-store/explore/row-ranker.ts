import { AppError } from '../../../contract/errors.ts';
import type { EntityType } from '../../../contract/schemas/explore.ts';
import type { Score } from '../../../core/ports/query.ts';
import type { VectorCollection, VectorMatch } from '../../../core/ports/vector-engine.ts';
import type { EmbeddingSpace } from '../../../core/ports/vector-space.ts';
import type { RowSet } from '../../vectors/row-set.ts';
import { hasVector } from '../../vectors/rows.ts';
import { TopRows } from '../../vectors/top-rows.ts';
import type { DataVersions } from '../columns/data-versions.ts';
import type { FilledByPieces } from '../columns/filled-by-pieces.ts';
import type { ModelResultRepository } from '../enrichment/model-result.repository.ts';
import type { MediaRepository } from '../items/media.repository.ts';
import type { ObjectRepository } from '../items/object.repository.ts';
import type { CaptionTable } from '../texts/caption-table.ts';
import { captionVectors } from '../texts/caption-vectors.ts';
import { rankByWords, type Words } from '../texts/full-text.ts';
import type { IndexReader } from '../vectors/index-reader.ts';
import type { VectorSpaces } from '../vectors/vector-spaces.ts';
import { countOutstanding } from './cut-off.ts';
import { RankedRows } from './ranked-rows.ts';
import type { RowMatcher } from './row-matcher.ts';
import { bestOf, greaterOf, type SimilarRows, similaritiesOf } from './similar-rows.ts';

/** Maximum number of cached rankings by words: at most 8 MB each at a million rows. */
const MOST_WORDS_KEPT = 4;

/** Number of rows sampled to estimate the median of all similarities. */
const SAMPLE_ROWS = 1000;

/** Maximum rounding error of the similarity of float32 vectors. */
const ROUNDING = 1e-6;

/** One score of a plan, ready to be evaluated. */
interface Ranking {
  /** Rows must have a similarity above this one. */
  above: number;
  /** Returns the `k` best of some rows, best first. */
  best: (k: number, rows: RowSet) => Promise<VectorMatch[]>;
  /** Returns the similarity of each row; rows are ascending. */
  each: (rows: Int32Array) => Promise<Float32Array>;
  /** Rows of the compared items themselves, whose similarity is exactly 1: rounding must not make an item differ from itself. */
  same?: ReadonlySet<number>;
  /** All matching rows, if only few match or the query needs more than the best of them. */
  fitting?: SimilarRows;
}

interface Parts {
  matcher: RowMatcher;
  media: MediaRepository;
  objects: ObjectRepository;
  models: ModelResultRepository;
  vectors: VectorSpaces;
  index: IndexReader;
  versions: DataVersions;
}

/** Ranks rows by their similarity to what the scores of a plan compare them with. */
export class RowRanker {
  readonly #parts: Parts;
  readonly #captions: FilledByPieces<CaptionTable>;
  /** Collections that are loaded for later searches. */
  readonly #loading = new Set<VectorCollection>();
  /** Rankings by words, oldest first. */
  readonly #words = new Map<string, SimilarRows>();

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#captions = captionVectors(parts);
  }

  /** Loads in chunks the data that scores compare with. */
  async *bringIn(entityType: EntityType, scores: readonly Score[]): AsyncGenerator<void> {
    for (const score of scores) {
      const space = this.#spaceOf(entityType, score);
      if (space) yield* this.#parts.vectors.of(space, entityType).load('search');
      else if (score.name !== 'words') yield* this.#captions.bringIn();
    }
  }

  /** Loads the vectors in chunks. `later` loads for later searches, and does nothing while another call loads the same vectors. */
  async *bringInVectors(entityType: EntityType, scores: readonly Score[], when: 'now' | 'later'): AsyncGenerator<void> {
    for (const score of scores) {
      const space = this.#spaceOf(entityType, score);
      if (!space) continue;
      const collection = this.#parts.vectors.of(space, entityType);
      if (when === 'now') yield* collection.load('vectors');
      else yield* this.#loadOnce(collection);
    }
  }

  async *#loadOnce(collection: VectorCollection): AsyncGenerator<void> {
    if (this.#loading.has(collection)) return;
    this.#loading.add(collection);
    try {
      yield* collection.load('vectors');
    } finally {
      this.#loading.delete(collection);
    }
  }

  /**
   * Returns the `k` nearest of some rows, best first. Matches of words alone are in order of row if all are wanted. With several
   * scores, the distance of a row is that of its worst score.
   * @throws AppError `not_found` for an anchor that is not an item, `conflict` for an anchor whose vector is lost, `invalid_request` for
   * objects by caption.
   */
  async rank(entityType: EntityType, scores: readonly Score[], among: RowSet, k: number): Promise<RankedRows> {
    const rankings = await Promise.all(scores.map((score) => this.#ranking(entityType, score)));
    const rows = among;
    const [only] = rankings;
    if (rankings.length !== 1 || !only) return this.#rankByWorst(rankings, rows, k);
    const { above, same, fitting } = only;
    if (fitting && k >= rows.count) {
      const all = new RankedRows(fitting.rows, fitting.similarities);
      return all.where((row, similarity) => similarity > above && rows.has(row));
    }
    const found = await only.best(k, rows);
    if (same) {
      for (const match of found) if (same.has(match.row)) match.similarity = 1;
      found.sort((a, b) => b.similarity - a.similarity);
    }
    return RankedRows.of(found.filter(({ similarity }) => similarity > above));
  }

  /**
   * Returns how many of the best-first ranked rows stand out of all searched rows, by the noise distribution of the scores; null if no
   * score compares a text by meaning.
   */
  async countOutstanding(
    entityType: EntityType,
    scores: readonly Score[],
    searched: RowSet,
    ranked: RankedRows,
  ): Promise<number | null> {
    const texts = scores.filter((score) => score.name === 'text');
    const [text] = texts;
    if (!text) return null;
    const { similarities } = ranked;
    const { cut_off } = text;
    const rankings = await Promise.all(texts.map((one) => this.#ranking(entityType, one)));
    if ('similarity' in cut_off) return similarities.filter((similarity) => similarity >= cut_off.similarity).length;
    const rows = searched.toRows();
    const step = Math.max(1, Math.ceil(rows.length / SAMPLE_ROWS));
    const sample = rows.filter((_, at) => at % step === 0);
    const ofSample = await Promise.all(rankings.map(({ each }) => each(sample)));
    const worst = Float32Array.from(sample, (_, at) => Math.min(...ofSample.map((of) => of[at] ?? 0)));
    return countOutstanding(similarities, worst, rows.length, cut_off);
  }

  async #rankByWorst(rankings: readonly Ranking[], set: RowSet, k: number): Promise<RankedRows> {
    const rows = set.toRows();
    const worst = new Float32Array(rows.length).fill(Number.POSITIVE_INFINITY);
    for (const { above, each, same } of rankings) {
      const similarities = await each(rows);
      for (let at = 0; at < rows.length; at += 1) {
        const similarity = same?.has(rows[at] as number) ? 1 : (similarities[at] as number);
        worst[at] = similarity > above ? Math.min(worst[at] as number, similarity) : Number.NEGATIVE_INFINITY;
      }
    }
    const top = new TopRows(Math.min(k, rows.length));
    for (let at = 0; at < rows.length; at += 1) {
      if ((worst[at] as number) > Number.NEGATIVE_INFINITY) top.offer(rows[at] as number, worst[at] as number);
    }
    return RankedRows.of(top.best());
  }

  /** Returns the vector space that a score compares in, if the score compares items by their vectors. */
  #spaceOf(entityType: EntityType, score: Score): EmbeddingSpace | undefined {
    if (score.name === 'words' || (score.name === 'text' && score.of === 'captions')) return undefined;
    return score.name === 'text' ? 'meaning' : this.#parts.index.shownSpace(entityType);
  }

  async #ranking(entityType: EntityType, score: Score): Promise<Ranking> {
    if (score.name === 'like') return this.#likeItem(entityType, score.media_id, score.max_distance);
    if (score.name === 'like_image') return this.#likeImage(entityType, score);
    if (score.name === 'words') {
      const fitting = this.#ranksOfWords(entityType, score);
      return { above: leastSimilarity(score.max_distance), ...byKnown(fitting), fitting };
    }
    const above = score.least_similarity;
    if (score.of === 'items') return { above, ...this.#byVectors('meaning', entityType, score.vector) };
    if (entityType === 'OBJECTS') {
      throw new AppError('invalid_request', 'Objects are not searched by caption; ask for IMAGES');
    }
    const byMeaning = this.#captions.whole().similarities(score.vector);
    if (score.words === undefined) return { above, ...byKnown(byMeaning) };
    const byWords = this.#ranksOfWords(entityType, { query: score.words, columns: ['caption'] });
    return { above, ...byKnown(greaterOf(byMeaning, byWords)) };
  }

  #ranksOfWords(entityType: EntityType, { query, columns }: Words): SimilarRows {
    const { matcher, index, versions } = this.#parts;
    const key = JSON.stringify([
      versions.rows,
      versions.said,
      versions.edits,
      index.state(),
      entityType,
      query,
      columns,
    ]);
    const known = this.#words.get(key);
    if (known) return known;
    const found = rankByWords({ query, columns }, matcher.facts(entityType));
    this.#words.set(key, found);
    const [oldest] = this.#words.keys();
    if (this.#words.size > MOST_WORDS_KEPT && oldest !== undefined) this.#words.delete(oldest);
    return found;
  }

  async #likeItem(entityType: EntityType, mediaId: string, maxDistance: number | null): Promise<Ranking> {
    const { media, objects, vectors, index } = this.#parts;
    const item = media.find(mediaId);
    const found = item ?? objects.find(mediaId);
    if (!found) throw new AppError('not_found', 'The anchor is not an item of this dataset');
    const ofType: EntityType = item ? 'IMAGES' : 'OBJECTS';
    // Imported vectors may exist for items only. All rows can be compared by appearance embeddings (`looks`).
    const shown = index.shownSpace(entityType);
    const spaces = ofType === entityType || vectors.isShared(shown) ? [shown, 'looks' as const] : ['looks' as const];
    const wanted = Int32Array.of(found.row);
    const anchors = await Promise.all(
      spaces.map(async (space) => ({ space, vector: await vectors.of(space, ofType).fetch(wanted) })),
    );
    const anchor = anchors.find(({ vector }) => hasVector(vector, vector.length, 0));
    if (!anchor) {
      throw new AppError('conflict', 'The vector of the anchor is damaged, and its file is not there to make it again');
    }
    return {
      above: leastSimilarity(maxDistance),
      ...(ofType === entityType ? { same: new Set([found.row]) } : {}),
      ...this.#byVectors(anchor.space, entityType, anchor.vector),
    };
  }

  #likeImage(
    entityType: EntityType,
    { vectors: encoded, content_hash, max_distance }: Score & { name: 'like_image' },
  ): Ranking {
    const { media, vectors, index } = this.#parts;
    const spaces = [index.shownSpace(entityType), 'looks' as const];
    const found = spaces.flatMap((of) => {
      const encoderId = vectors.find(of, entityType)?.encoder_id;
      return encoded.filter(({ space, encoder_id }) => space === of && encoder_id === encoderId);
    })[0];
    if (!found) {
      throw new AppError('invalid_request', 'The query image was read for another encoder; upload it again');
    }
    const isWholeItem = entityType === 'IMAGES' && content_hash !== null;
    return {
      above: leastSimilarity(max_distance),
      ...(isWholeItem ? { same: new Set(media.rowsOfContent(content_hash)) } : {}),
      ...this.#byVectors(found.space, entityType, found.vector),
    };
  }

  #byVectors(space: EmbeddingSpace, entityType: EntityType, vector: Float32Array) {
    return byVectors(this.#parts.vectors.of(space, entityType), vector);
  }
}

function leastSimilarity(maxDistance: number | null): number {
  return maxDistance === null ? Number.NEGATIVE_INFINITY : 1 - maxDistance - ROUNDING;
}

/** Returns a ranking from similarities that are already computed. */
function byKnown(known: SimilarRows): Pick<Ranking, 'best' | 'each'> {
  return {
    best: async (k, set) => bestOf(known, k, set),
    each: async (rows) => similaritiesOf(known, rows),
  };
}

function byVectors(collection: VectorCollection, vector: Float32Array): Pick<Ranking, 'best' | 'each'> {
  return {
    best: (k, rows) => collection.search(vector, k, rows),
    each: (rows) => collection.similarities(vector, rows),
  };
}

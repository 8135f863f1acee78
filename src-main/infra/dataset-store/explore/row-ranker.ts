import type { EntityType } from '../../../contract/schemas/explore.ts';
import type { Score } from '../../../core/ports/query.ts';
import type { RowSet } from '../../vectors/row-set.ts';
import { TopRows } from '../../vectors/top-rows.ts';
import { countOutstanding } from './cut-off.ts';
import { RankedRows } from './ranked-rows.ts';
import type { RowFacts } from './row-facts.ts';
import type { Ranking } from './score-kind.ts';
import { scoreKind } from './scores.ts';

/** Number of rows sampled to estimate the median of all similarities. */
const SAMPLE_ROWS = 1000;

/** Ranks rows by their similarity to what the scores of a plan compare them with. */
export class RowRanker {
  readonly #rowFacts: RowFacts;

  constructor(rowFacts: RowFacts) {
    this.#rowFacts = rowFacts;
  }

  /**
   * Returns the `k` nearest of some rows, best first. Matches of words alone are in order of row if all are requested. With several
   * scores, the distance of a row is that of its worst score.
   * @throws AppError of the scores, such as `not_found` for an anchor that is not an item.
   */
  async rank(entityType: EntityType, scores: readonly Score[], rows: RowSet, k: number): Promise<RankedRows> {
    const rankings = await this.#rankings(entityType, scores);
    const [only] = rankings;
    if (rankings.length !== 1 || !only) return rankByWorst(rankings, rows, k);
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
    const rankings = await this.#rankings(entityType, texts);
    if ('similarity' in cut_off) return similarities.filter((similarity) => similarity >= cut_off.similarity).length;
    const rows = searched.toRows();
    const step = Math.max(1, Math.ceil(rows.length / SAMPLE_ROWS));
    const sample = rows.filter((_, at) => at % step === 0);
    const ofSample = await Promise.all(rankings.map(({ each }) => each(sample)));
    const worst = Float32Array.from(sample, (_, at) => Math.min(...ofSample.map((of) => of[at] ?? 0)));
    return countOutstanding(similarities, worst, rows.length, cut_off);
  }

  #rankings(entityType: EntityType, scores: readonly Score[]): Promise<Ranking[]> {
    const facts = this.#rowFacts.of(entityType);
    return Promise.all(scores.map(async (score) => scoreKind(score).rank(score, facts)));
  }
}

/** Ranks rows by the worst of their similarities. */
async function rankByWorst(rankings: readonly Ranking[], set: RowSet, k: number): Promise<RankedRows> {
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

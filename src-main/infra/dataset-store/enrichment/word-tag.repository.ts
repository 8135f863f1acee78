import type Database from 'better-sqlite3';
import type { WordTagger } from '../../../core/ports/enrichment.ts';
import type { FoundLabel } from '../../../core/ports/inference.ts';
import type { MetaRepository } from '../disk/meta.repository.ts';
import type { ModelResultRepository } from './model-result.repository.ts';

const STATE = 'word_tags';

/** The tagger whose labels items have, and the row below which all items are tagged. */
type State = WordTagger & { next_row: number };

/** Labels of items from comparing their vectors with words: [Note: Word tags]. */
export class WordTagRepository {
  readonly #db: Database.Database;
  readonly #meta: MetaRepository;
  readonly #results: ModelResultRepository;

  constructor(parts: { db: Database.Database; meta: MetaRepository; results: ModelResultRepository }) {
    this.#db = parts.db;
    this.#meta = parts.meta;
    this.#results = parts.results;
  }

  get nextRow(): number {
    return this.#meta.get<State>(STATE)?.next_row ?? 0;
  }

  /** Whether annotation files label images. */
  hasAnnotations(): boolean {
    return this.#db.prepare('SELECT 1 FROM label WHERE annotation_path IS NOT NULL LIMIT 1').get() !== undefined;
  }

  /** Continues with a tagger, or starts again if the tagger or its list has changed. Joins the caller's transaction. */
  begin(tagger: WordTagger): void {
    const known = this.#meta.get<State>(STATE);
    if (known?.version === tagger.version) return;
    if (known !== undefined && known.model_id !== tagger.model_id) this.forget();
    this.#meta.set(STATE, { ...tagger, next_row: 0 } satisfies State);
  }

  /** Replaces the tags of items. Joins the caller's transaction. */
  save(modelId: string, tags: readonly { media_id: string; labels: readonly FoundLabel[] }[], nextRow: number): void {
    for (const { media_id, labels } of tags) {
      this.#results.forget(media_id, modelId);
      for (const label of labels) this.#results.addLabel(media_id, modelId, null, label);
    }
    const known = this.#meta.get<State>(STATE);
    if (known) this.#meta.set(STATE, { ...known, next_row: nextRow } satisfies State);
  }

  /** Deletes all tags. Joins the caller's transaction. */
  forget(): void {
    const known = this.#meta.get<State>(STATE);
    if (known) this.#db.prepare<[string]>('DELETE FROM label WHERE source = ?').run(known.model_id);
    this.#meta.delete(STATE);
  }
}

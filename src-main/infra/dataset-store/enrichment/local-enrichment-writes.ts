import type Database from 'better-sqlite3';
import { ENTITY_TYPES, type EntityType } from '../../../contract/schemas/explore.ts';
import type { BoxResult } from '../../../core/ports/boxes.ts';
import {
  ENRICHMENT_BATCH,
  type EnrichedImage,
  type EnrichedObject,
  type EnrichmentWrites,
  type ImageToEnrich,
  type ObjectsToEnrich,
  type PassName,
  type WordTagger,
} from '../../../core/ports/enrichment.ts';
import type { FoundLabel, ModelOutput } from '../../../core/ports/inference.ts';
import type { EmbeddingSpace, VectorSpace } from '../../../core/ports/vector-space.ts';
import type { OpenParquet } from '../../parquet/parquet-thread.ts';
import type { Answered } from '../../threads/answered.ts';
import { objectsByImage } from '../annotations/objects-by-image.ts';
import { resolveLocation } from '../disk/locations.ts';
import type { MetaRepository } from '../disk/meta.repository.ts';
import { type IndexReader, indexKey } from '../vectors/index-reader.ts';
import type { VectorSpaces } from '../vectors/vector-spaces.ts';
import { importVectors } from './import-vectors.ts';
import { appliedKey, type ModelResultRepository } from './model-result.repository.ts';
import { WordTagRepository } from './word-tag.repository.ts';

interface Parts {
  db: Database.Database;
  results: ModelResultRepository;
  meta: MetaRepository;
  vectors: VectorSpaces;
  index: IndexReader;
  /** Number of rows of each entity type, living or dead. */
  countRows: (entityType: EntityType) => number;
  /** Records that data cached by readers has changed. Joins the caller's transaction. */
  noteChange: () => void;
  saveBoxes: (results: BoxResult[]) => Promise<void>;
  openParquet: OpenParquet;
  dataFolder: string;
}

/** Writes the results of models to the rows and vectors of one dataset. */
export class LocalEnrichmentWrites implements Answered<EnrichmentWrites> {
  readonly #parts: Parts;
  readonly #results: ModelResultRepository;
  readonly #wordTags: WordTagRepository;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#results = parts.results;
    this.#wordTags = new WordTagRepository(parts);
  }

  listImages(pass: PassName, afterRow: number | null, limit: number): ImageToEnrich[] {
    const fromRow = afterRow === null ? this.#applied(pass, 'IMAGES') : afterRow + 1;
    return this.#results.listImages(fromRow, limit).map((row) => this.#image(row));
  }

  async saveImages(pass: PassName, results: EnrichedImage[], nextRow: number, batchId: string | null): Promise<void> {
    const { db, meta, noteChange, saveBoxes } = this.#parts;
    await this.#storeVectors('IMAGES', results);
    const described: BoxResult[] = [];
    db.transaction(() => {
      for (const { media_id, row, outputs } of results) {
        for (const output of outputs) {
          this.#results.forget(media_id, output.model_id);
          described.push(...this.#save({ media_id, row }, output, batchId));
        }
      }
      meta.set(appliedKey(pass, 'IMAGES'), nextRow);
      noteChange();
    })();
    // After a crash at this point the boxes are still pending, and the pass describes them before it finishes.
    if (described.length > 0) await saveBoxes(described);
  }

  listObjects(
    pass: PassName,
    afterRow: number | null,
    limit: number,
  ): { images: ObjectsToEnrich[]; last_row: number | null } {
    const fromRow = afterRow === null ? this.#applied(pass, 'OBJECTS') : afterRow + 1;
    return objectsByImage(this.#results.listObjects(fromRow, limit), this.#parts.dataFolder);
  }

  async saveObjects(pass: PassName, results: EnrichedObject[], nextRow: number): Promise<void> {
    const { db, meta, noteChange } = this.#parts;
    await this.#storeVectors('OBJECTS', results);
    db.transaction(() => {
      for (const { row, outputs } of results) {
        for (const { model_id, output } of outputs) {
          if (hasWords(output)) this.#results.setObjectCaption(row, model_id, output.caption);
          if (output.kind !== 'failed') continue;
          const mediaId = this.#results.mediaOfObject(row);
          if (mediaId !== undefined) this.#results.addFailure(mediaId, model_id, output.reason);
        }
      }
      meta.set(appliedKey(pass, 'OBJECTS'), nextRow);
      noteChange();
    })();
  }

  async finish(pass: PassName, entityTypes: readonly EntityType[]): Promise<void> {
    const { meta, countRows, vectors } = this.#parts;
    for (const entityType of entityTypes) {
      const nRows = countRows(entityType);
      meta.set(appliedKey(pass, entityType), nRows);
      if (nRows === 0) continue;
      const spaces: EmbeddingSpace[] = pass === 'meaning' ? ['meaning'] : vectors.spacesOf(entityType);
      for (const space of spaces) await vectors.of(space, entityType).reserve(nRows);
    }
  }

  async beginMeaning(made: VectorSpace): Promise<void> {
    const { vectors } = this.#parts;
    const known = vectors.findAdded() ?? vectors.find('meaning', 'IMAGES');
    if (known?.encoder_id === made.encoder_id) return;
    await this.dropMeaning();
    vectors.beginMeaning(made);
  }

  endMeaning(): void {
    const { db, vectors } = this.#parts;
    db.transaction(() => vectors.endMeaning())();
  }

  async dropMeaning(): Promise<void> {
    const { db, meta, vectors, index, results, noteChange } = this.#parts;
    const made = vectors.findAdded() ?? vectors.find('meaning', 'IMAGES');
    db.transaction(() => {
      for (const entityType of ENTITY_TYPES) {
        meta.delete(indexKey('meaning', entityType));
        meta.delete(appliedKey('meaning', entityType));
      }
      if (made) results.forgetFailuresOf(made.encoder_id);
      this.#wordTags.forget();
      vectors.forgetMeaning();
      noteChange();
    })();
    // Files left by a crash at this point are removed when the next `meaning` space is added.
    index.removeFiles('meaning');
    await vectors.dropVectors('meaning');
  }

  importVectors(modelId: string, parquetFile: string): Promise<{ n_matched: number }> {
    const { db, vectors, openParquet } = this.#parts;
    return importVectors(
      { db, results: this.#results, vectors: vectors.of('meaning', 'IMAGES'), openParquet },
      modelId,
      parquetFile,
    );
  }

  listCaptions(after: number, limit: number): { caption_id: number; caption: string }[] {
    return this.#results.listCaptionsToEncode(after, limit);
  }

  saveCaptionVectors(vectors: { caption_id: number; vector: Float32Array }[]): void {
    const { db, noteChange } = this.#parts;
    db.transaction(() => {
      for (const { caption_id, vector } of vectors) this.#results.addCaptionVector(caption_id, vector);
      noteChange();
    })();
  }

  beginWordTags(tagger: WordTagger): { n_done: number; n_rows: number } | undefined {
    if (this.#wordTags.hasAnnotations()) return undefined;
    this.#parts.db.transaction(() => this.#wordTags.begin(tagger))();
    const nRows = this.#parts.index.published('meaning', 'IMAGES')?.count ?? 0;
    return { n_done: Math.min(nRows, this.#wordTags.nextRow), n_rows: nRows };
  }

  async listUntagged(limit: number): Promise<{ media_ids: string[]; vectors: Float32Array; next_row: number }> {
    const { index, vectors } = this.#parts;
    const nRows = index.published('meaning', 'IMAGES')?.count ?? 0;
    const items = this.#results.listImages(this.#wordTags.nextRow, limit).filter(({ row }) => row < nRows);
    const last = items.at(-1);
    if (!last) return { media_ids: [], vectors: new Float32Array(), next_row: nRows };
    return {
      media_ids: items.map(({ media_id }) => media_id),
      vectors: await vectors.of('meaning', 'IMAGES').fetch(Int32Array.from(items, ({ row }) => row)),
      next_row: last.row + 1,
    };
  }

  saveWordTags(modelId: string, tags: { media_id: string; labels: FoundLabel[] }[], nextRow: number): void {
    this.#parts.db.transaction(() => this.#wordTags.save(modelId, tags, nextRow))();
  }

  endWordTags(): void {
    this.#parts.db.transaction(() => this.#parts.noteChange())();
  }

  #applied(pass: PassName, entityType: EntityType): number {
    return this.#parts.meta.get<number>(appliedKey(pass, entityType)) ?? 0;
  }

  #image(row: { row: number; media_id: string; kind: 'folder' | 'stored'; root: string; location: string }) {
    return {
      row: row.row,
      media_id: row.media_id,
      path: resolveLocation(this.#parts.dataFolder, row, row.location),
    };
  }

  async #storeVectors(entityType: EntityType, results: readonly Pick<EnrichedObject, 'row' | 'outputs'>[]) {
    const { vectors } = this.#parts;
    for (const { row, outputs } of results) {
      for (const { model_id, output } of outputs) {
        const space = vectors.spaceOfEncoder(entityType, model_id);
        if (space === undefined || output.kind !== 'vector') continue;
        await vectors.of(space, entityType).upsert(Int32Array.of(row), output.vector);
      }
    }
  }

  /** @returns The described objects, by the keys of their boxes. */
  #save(
    image: { media_id: string; row: number },
    { model_id, output, boxes }: EnrichedImage['outputs'][number],
    batchId: string | null,
  ): BoxResult[] {
    const { media_id } = image;
    if (output.kind === 'objects') {
      return output.objects.flatMap((object, at) => {
        const key = this.#results.addBox(image, model_id, batchId ?? ENRICHMENT_BATCH, object);
        const described = boxes?.[at];
        return described ? [{ key, ...described }] : [];
      });
    }
    if (output.kind === 'labels') {
      for (const label of output.labels) this.#results.addLabel(media_id, model_id, batchId, label);
    } else if (hasWords(output)) {
      this.#results.addCaption(media_id, model_id, batchId, output.caption);
    } else if (output.kind === 'failed') {
      this.#results.addFailure(media_id, model_id, output.reason);
    }
    return [];
  }
}

/** Captioners may return no words, such as one that names the objects of an image without objects. */
function hasWords(output: ModelOutput): output is ModelOutput & { kind: 'caption' } {
  return output.kind === 'caption' && output.caption !== '';
}

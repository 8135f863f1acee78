import type Database from 'better-sqlite3';
import { ENTITY_TYPES, type EntityType } from '../../../contract/schemas/explore.ts';
import {
  type CopyChanges,
  ENRICHMENT_BATCH,
  type EnrichedObject,
  type EnrichedPicture,
  type EnrichmentStore,
  type ModelFailureRow,
  type ObjectsToEnrich,
  type PictureToEnrich,
  type VectorSpace,
} from '../../../core/ports/enrichment-store.ts';
import type { ModelOutput } from '../../../core/ports/model.ts';
import type { OpenParquet } from '../../parquet/parquet-thread.ts';
import { copyGeneration } from '../disk/copy-generation.ts';
import { resolveLocation } from '../disk/locations.ts';
import type { VectorSpaces } from '../disk/vector-spaces.ts';
import type { IndexReader } from '../read/index-reader.ts';
import type { MetaRepository } from '../rows/meta.repository.ts';
import { MODELS_APPLIED, type ModelResultRepository, type ObjectRow } from '../rows/model-result.repository.ts';
import { importVectors } from './import-vectors.ts';

/** The port's methods, answered in the thread itself. */
type Local = {
  [Name in keyof EnrichmentStore]: (
    ...args: Parameters<EnrichmentStore[Name]>
  ) => Awaited<ReturnType<EnrichmentStore[Name]>> | ReturnType<EnrichmentStore[Name]>;
};

interface Parts {
  db: Database.Database;
  results: ModelResultRepository;
  meta: MetaRepository;
  vectors: VectorSpaces;
  index: IndexReader;
  /** Rows of each entity type, living or not. */
  countRows: (entity_type: EntityType) => number;
  /** Something that lists show has changed. */
  noteChange: () => void;
  openParquet: OpenParquet;
  folder: string;
  data_folder: string;
}

/** What models say, on its way into one dataset's rows and vectors. */
export class LocalEnrichmentStore implements Local {
  readonly #parts: Parts;
  readonly #results: ModelResultRepository;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#results = parts.results;
  }

  vectorSpace(entity_type: EntityType): VectorSpace | undefined {
    return this.#parts.vectors.find(entity_type);
  }

  copyTo(folder: string, changes: CopyChanges): Promise<void> {
    const { countRows, index } = this.#parts;
    const kept = ENTITY_TYPES.filter((entity_type) => changes.spaces[entity_type] === undefined);
    const counts = { IMAGES: countRows('IMAGES'), OBJECTS: countRows('OBJECTS') };
    return copyGeneration({ ...this.#parts, counts, index_files: index.publishedFiles(kept) }, folder, changes);
  }

  modelProgress(entity_type: EntityType): { n_done: number; n_rows: number } {
    const n_rows = this.#parts.countRows(entity_type);
    return { n_done: Math.min(n_rows, this.#applied(entity_type)), n_rows };
  }

  listPicturesToEnrich(after_row: number | null, limit: number): PictureToEnrich[] {
    const from_row = after_row === null ? this.#applied('IMAGES') : after_row + 1;
    return this.#results.listPictures(from_row, limit).map((row) => this.#picture(row));
  }

  samplePictures(limit: number): PictureToEnrich[] {
    return this.#results.samplePictures(limit).map((row) => this.#picture(row));
  }

  savePictures(results: EnrichedPicture[], next_row: number, batch_id: string | null): void {
    const { db, meta } = this.#parts;
    for (const { row, outputs } of results) this.#writeVectors('IMAGES', row, outputs);
    db.transaction(() => {
      for (const { media_id, row, outputs } of results) {
        for (const { model_id, output } of outputs) {
          this.#results.forget(media_id, model_id);
          this.#save({ media_id, row }, model_id, output, batch_id);
        }
      }
      meta.set(MODELS_APPLIED.IMAGES, next_row);
    })();
    this.#parts.noteChange();
  }

  listObjectsToEnrich(
    after_row: number | null,
    limit: number,
  ): { pictures: ObjectsToEnrich[]; last_row: number | null } {
    const from_row = after_row === null ? this.#applied('OBJECTS') : after_row + 1;
    const objects = this.#results.listObjects(from_row, limit);
    const pictures: ObjectsToEnrich[] = [];
    let of_media: string | undefined;
    for (const object of objects) {
      if (object.media_id !== of_media) pictures.push(this.#pictureOf(object));
      of_media = object.media_id;
      const { row, x, y, width, height } = object;
      pictures.at(-1)?.crops.push({ key: row, box: { x, y, width, height } });
    }
    return { pictures, last_row: objects.at(-1)?.row ?? null };
  }

  saveObjects(results: EnrichedObject[], next_row: number): void {
    const { db, meta } = this.#parts;
    for (const { row, outputs } of results) this.#writeVectors('OBJECTS', row, outputs);
    db.transaction(() => {
      for (const { row, outputs } of results) {
        for (const { model_id, output } of outputs) {
          if (hasWords(output)) this.#results.setObjectCaption(row, model_id, output.caption);
          if (output.kind !== 'failed') continue;
          const media_id = this.#results.mediaOfObject(row);
          if (media_id !== undefined) this.#results.addFailure(media_id, model_id, output.reason);
        }
      }
      meta.set(MODELS_APPLIED.OBJECTS, next_row);
    })();
    this.#parts.noteChange();
  }

  finishModels(): void {
    const { meta, countRows, vectors } = this.#parts;
    for (const entity_type of ENTITY_TYPES) {
      const n_rows = countRows(entity_type);
      meta.set(MODELS_APPLIED[entity_type], n_rows);
      if (n_rows > 0) vectors.of(entity_type).extendTo(n_rows);
    }
  }

  importVectors(model_id: string, parquet_file: string): Promise<{ n_matched: number }> {
    const { db, vectors, openParquet } = this.#parts;
    return importVectors(
      { db, results: this.#results, vectors: vectors.of('IMAGES'), openParquet },
      model_id,
      parquet_file,
    );
  }

  sampleVectors(entity_type: EntityType, limit: number): Float32Array {
    const vectors = this.#parts.vectors.of(entity_type);
    const rows = this.#results.sampleRows(entity_type, limit);
    const sample = new Float32Array(rows.length * vectors.dim);
    for (const [at, row] of rows.entries()) sample.set(vectors.readRows(row, 1), at * vectors.dim);
    return sample;
  }

  listCaptionsToEncode(after: number, limit: number): { caption_id: number; caption: string }[] {
    return this.#results.listCaptionsToEncode(after, limit);
  }

  saveCaptionVectors(vectors: { caption_id: number; vector: Float32Array }[]): void {
    this.#parts.db.transaction(() => {
      for (const { caption_id, vector } of vectors) this.#results.addCaptionVector(caption_id, vector);
    })();
    this.#parts.noteChange();
  }

  countModelFailures(): number {
    return this.#results.countFailures();
  }

  listModelFailures(query: { offset: number; limit: number }): ModelFailureRow[] {
    return this.#results.listFailures(query);
  }

  #applied(entity_type: EntityType): number {
    return this.#parts.meta.get<number>(MODELS_APPLIED[entity_type]) ?? 0;
  }

  #picture(row: { row: number; media_id: string; kind: 'folder' | 'stored'; root: string; location: string }) {
    return {
      row: row.row,
      media_id: row.media_id,
      path: resolveLocation(this.#parts.data_folder, row, row.location),
    };
  }

  #pictureOf(object: ObjectRow): ObjectsToEnrich {
    return {
      path: resolveLocation(this.#parts.data_folder, object, object.location),
      width: object.picture_width,
      height: object.picture_height,
      crops: [],
    };
  }

  #writeVectors(entity_type: EntityType, row: number, outputs: EnrichedObject['outputs']): void {
    for (const { output } of outputs) {
      if (output.kind === 'vector') this.#parts.vectors.of(entity_type).writeRows(row, output.vector);
    }
  }

  #save(
    picture: { media_id: string; row: number },
    model_id: string,
    output: ModelOutput,
    batch_id: string | null,
  ): void {
    const { media_id } = picture;
    if (output.kind === 'labels') {
      for (const label of output.labels) this.#results.addLabel(media_id, model_id, batch_id, label);
    } else if (output.kind === 'objects') {
      for (const object of output.objects) {
        this.#results.addBox(picture, model_id, batch_id ?? ENRICHMENT_BATCH, object);
      }
    } else if (hasWords(output)) {
      this.#results.addCaption(media_id, model_id, batch_id, output.caption);
    } else if (output.kind === 'failed') {
      this.#results.addFailure(media_id, model_id, output.reason);
    }
  }
}

/** Captioners may have nothing to say, such as one that names the objects of a picture without any. */
function hasWords(output: ModelOutput): output is ModelOutput & { kind: 'caption' } {
  return output.kind === 'caption' && output.caption !== '';
}

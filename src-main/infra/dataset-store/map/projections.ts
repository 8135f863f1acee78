import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ENTITY_TYPES, type EntityType } from '../../../contract/schemas/explore.ts';
import { EMBEDDING_SPACES, type EmbeddingSpace } from '../../../core/ports/vector-space.ts';
import { checksumOf } from '../../files/file-checksum.ts';
import { type Projection, readProjection } from '../../projection/projection-file.ts';
import type { MetaRepository } from '../disk/meta.repository.ts';
import type { IndexReader } from '../vectors/index-reader.ts';
import type { VectorSpaces } from '../vectors/vector-spaces.ts';

/** Returns the meta key of the projection that reads use. */
export function projectionKey(space: EmbeddingSpace, entityType: EntityType): string {
  return `projection:${space}:${entityType}`;
}

/** The published projection of a space and entity type. */
interface PublishedProjection {
  serial: number;
  count: number;
  encoder_id: string;
  layout: number;
  sha256: string;
  /** The projection is no longer used; the next one takes the following number. */
  is_forgotten?: true;
}

const EXTENSION = 'places';

/** The published projections of a generation: [Note: Projection]. */
export class Projections {
  readonly #folder: string;
  readonly #meta: MetaRepository;
  readonly #index: IndexReader;
  readonly #vectors: VectorSpaces;
  readonly #loaded = new Map<string, { serial: number; projection: Projection }>();

  constructor(parts: { folder: string; meta: MetaRepository; index: IndexReader; vectors: VectorSpaces }) {
    this.#folder = join(parts.folder, 'index');
    this.#meta = parts.meta;
    this.#index = parts.index;
    this.#vectors = parts.vectors;
  }

  /** Returns the positions of the items of the shown space; undefined before their first projection. */
  of(entityType: EntityType): Projection | undefined {
    const space = this.#index.shownSpace(entityType);
    const published = this.published(space, entityType);
    if (!published) return undefined;
    const key = projectionKey(space, entityType);
    const known = this.#loaded.get(key);
    if (known?.serial === published.serial) return known.projection;
    const projection = readProjection(published.file);
    this.#loaded.set(key, { serial: published.serial, projection });
    return projection;
  }

  /** Returns the positions of {@link of} with the id of their layout: positions of different layouts cannot be compared. */
  shown(entityType: EntityType): { id: string; places: Float32Array } | undefined {
    const projection = this.of(entityType);
    return (
      projection && { id: `${this.#index.shownSpace(entityType)}-${projection.layout}`, places: projection.places }
    );
  }

  /** Changes whenever another projection is published. */
  state(): string {
    return EMBEDDING_SPACES.flatMap((space) =>
      ENTITY_TYPES.map((entityType) => this.published(space, entityType)?.serial ?? 0),
    ).join(' ');
  }

  /** Returns a published projection that is in use and was computed from the current vectors. */
  published(space: EmbeddingSpace, entityType: EntityType): (PublishedProjection & { file: string }) | undefined {
    const published = this.#record(space, entityType);
    if (!published || published.is_forgotten) return undefined;
    if (published.encoder_id !== this.#vectors.find(space, entityType)?.encoder_id) return undefined;
    return { ...published, file: this.#file(space, entityType, published.serial) };
  }

  /** Returns the file and the layout number of the next projection. A job that runs again after a crash gets the same ones. */
  next(space: EmbeddingSpace, entityType: EntityType): { layout: number; file: string } {
    const record = this.#record(space, entityType);
    return {
      layout: (record?.layout ?? 0) + 1,
      file: this.#file(space, entityType, (record?.serial ?? 0) + 1),
    };
  }

  publish(space: EmbeddingSpace, entityType: EntityType, made: { encoder_id: string; file: string }): void {
    const { encoder_id, file } = made;
    const serial = (this.#record(space, entityType)?.serial ?? 0) + 1;
    if (file !== this.#file(space, entityType, serial)) return;
    const { count, layout } = readProjection(file);
    const published: PublishedProjection = { serial, count, encoder_id, layout, sha256: checksumOf(file) };
    this.#meta.set(projectionKey(space, entityType), published);
    // Readers may still be loading the previous projection.
    const kept = [serial, serial - 1].map((one) => `${fileStem(space, entityType, one)}.${EXTENSION}`);
    const beginning = fileStem(space, entityType, '');
    for (const name of readdirSync(this.#folder)) {
      if (name.startsWith(beginning) && !kept.includes(name)) rmSync(join(this.#folder, name));
    }
  }

  /** Takes a projection out of use. Joins the caller's transaction. */
  forget(space: EmbeddingSpace, entityType: EntityType): void {
    const record = this.#record(space, entityType);
    if (record) this.#meta.set(projectionKey(space, entityType), { ...record, is_forgotten: true });
  }

  /**
   * Deletes projections that have rows from `row` on: these rows were never published, and their numbers are assigned again. Joins the
   * caller's transaction.
   */
  clearFrom(entityType: EntityType, row: number): void {
    for (const space of EMBEDDING_SPACES) {
      if ((this.#record(space, entityType)?.count ?? 0) > row) this.forget(space, entityType);
    }
  }

  #record(space: EmbeddingSpace, entityType: EntityType): PublishedProjection | undefined {
    return this.#meta.get<PublishedProjection>(projectionKey(space, entityType));
  }

  #file(space: EmbeddingSpace, entityType: EntityType, serial: number): string {
    return join(this.#folder, `${fileStem(space, entityType, serial)}.${EXTENSION}`);
  }
}

function fileStem(space: EmbeddingSpace, entityType: EntityType, serial: number | ''): string {
  return `${space}-${entityType}-projection-${serial}`;
}

/** Returns the file of a projection in use, relative to the index folder; undefined for none. */
export function projectionFile(
  meta: MetaRepository,
  space: EmbeddingSpace,
  entityType: EntityType,
): string | undefined {
  const published = meta.get<PublishedProjection>(projectionKey(space, entityType));
  return published && !published.is_forgotten
    ? `${fileStem(space, entityType, published.serial)}.${EXTENSION}`
    : undefined;
}

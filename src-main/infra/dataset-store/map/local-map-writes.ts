import type Database from 'better-sqlite3';
import { ENTITY_TYPES } from '../../../contract/schemas/explore.ts';
import type { MapWrites } from '../../../core/ports/map.ts';
import type { ProjectionRequest } from '../../../core/ports/projection.ts';
import type { Answered } from '../../threads/answered.ts';
import type { VectorSpaces } from '../disk/vector-spaces.ts';
import type { IndexReader } from '../read/index-reader.ts';
import type { LiveRows } from '../read/live-rows.ts';
import type { Projections } from '../read/projections.ts';

interface Parts {
  db: Database.Database;
  index: IndexReader;
  live: LiveRows;
  projections: Projections;
  vectors: VectorSpaces;
}

/** Stores projections: [Note: Projection]. */
export class LocalMapWrites implements Answered<MapWrites> {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  prepareProjections(): ProjectionRequest[] {
    const { index, live, projections, vectors } = this.#parts;
    return ENTITY_TYPES.flatMap((entityType): ProjectionRequest[] => {
      const space = index.shownSpace(entityType);
      const indexed = index.published(space, entityType);
      const known = projections.published(space, entityType);
      if (!indexed) return [];
      const alive = live.read(entityType, indexed.count);
      const places = projections.of(entityType)?.places ?? new Float32Array();
      if (!alive.toRows().some((row) => !Number.isFinite(places[row * 2]))) return [];
      const segments = vectors.of(space, entityType);
      return [
        {
          space,
          entity_type: entityType,
          encoder_id: vectors.find(space, entityType)?.encoder_id ?? '',
          vectors_folder: segments.folder,
          dim: segments.dim,
          count: indexed.count,
          dead_rows: [...alive.not().toRows()],
          graph_file: indexed.graph_file,
          ...(known ? { projection_in: known.file } : {}),
          ...projections.next(space, entityType),
        },
      ];
    });
  }

  publishProjection(request: ProjectionRequest): void {
    const { db, projections } = this.#parts;
    db.transaction(() => projections.publish(request))();
  }
}

import type Database from 'better-sqlite3';
import { ENTITY_TYPES } from '../../../contract/schemas/explore.ts';
import type { MapWrites } from '../../../core/ports/map.ts';
import type { ProjectionJob } from '../../../core/ports/projection.ts';
import type { ProjectionInput } from '../../projection/project-rows.ts';
import type { Answered } from '../../threads/answered.ts';
import type { EngineLocation } from '../../vectors/open-engine.ts';
import type { LiveRows } from '../columns/live-rows.ts';
import type { MetaRepository } from '../disk/meta.repository.ts';
import type { IndexReader } from '../vectors/index-reader.ts';
import { findSpace } from '../vectors/vector-spaces.ts';
import type { Projections } from './projections.ts';

interface Parts {
  db: Database.Database;
  meta: MetaRepository;
  engine: EngineLocation;
  index: IndexReader;
  live: LiveRows;
  projections: Projections;
}

/** Prepares and publishes projections: [Note: Projection]. */
export class LocalMapWrites implements Answered<MapWrites> {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  prepareProjections(): ProjectionJob[] {
    const { engine, index, live, meta, projections } = this.#parts;
    return ENTITY_TYPES.flatMap((entityType): ProjectionJob[] => {
      const space = index.shownSpace(entityType);
      const indexed = index.published(space, entityType);
      const made = findSpace(meta, space, entityType);
      if (!indexed || !made) return [];
      const { count, version } = indexed;
      const alive = live.read(entityType, count);
      const places = projections.of(entityType)?.places ?? new Float32Array();
      if (!alive.toRows().some((row) => !Number.isFinite(places[row * 2]))) return [];
      const input: ProjectionInput = {
        engine,
        vectors: { space, entity_type: entityType, ...made },
        index: { version, count },
        dead_rows: [...alive.not().toRows()],
        known_file: projections.published(space, entityType)?.file,
        ...projections.next(space, entityType),
      };
      return [{ space, entity_type: entityType, count, index_version: version, input }];
    });
  }

  publishProjection({ space, entity_type, input }: ProjectionJob): void {
    const { db, projections } = this.#parts;
    const { vectors, file } = input as ProjectionInput;
    db.transaction(() => projections.publish(space, entity_type, { encoder_id: vectors.encoder_id, file }))();
  }
}

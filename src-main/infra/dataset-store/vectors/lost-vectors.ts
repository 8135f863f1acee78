import type { EntityType } from '../../../contract/schemas/explore.ts';
import type { EmbeddingSpace } from '../../../core/ports/vector-space.ts';
import type { DataVersions } from '../columns/data-versions.ts';
import type { LostPartRepository } from '../repairs/lost-part.repository.ts';

/** Rows whose vectors were found damaged and are not recomputed yet. The stored values of these rows are meaningless. */
export class LostVectors {
  readonly #lost: LostPartRepository;
  readonly #versions: DataVersions;
  readonly #known = new Map<string, ReadonlySet<number>>();
  #version = -1;

  constructor(lost: LostPartRepository, versions: DataVersions) {
    this.#lost = lost;
    this.#versions = versions;
  }

  of(space: EmbeddingSpace, entityType: EntityType): ReadonlySet<number> {
    const { vectors } = this.#versions;
    if (vectors !== this.#version) this.#known.clear();
    this.#version = vectors;
    const key = `${space} ${entityType}`;
    const rows = this.#known.get(key) ?? new Set(this.#lost.rowsOf(entityType, space));
    this.#known.set(key, rows);
    return rows;
  }
}

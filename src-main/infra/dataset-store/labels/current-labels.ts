import type { EntityType } from '../../../contract/schemas/explore.ts';
import type { Columns } from '../columns/columns.ts';
import type { DataVersions } from '../columns/data-versions.ts';
import type { EditedRows } from '../edits/edited-rows.ts';
import { type EffectiveLabels, effectiveLabels } from './effective-labels.ts';

/** The effective labels of all rows, cached until labels, edits or the number of rows change. */
export class CurrentLabels {
  readonly #versions: DataVersions;
  readonly #edits: EditedRows;
  #kept: { state: string; labels: Record<EntityType, EffectiveLabels> } | undefined;

  constructor({ versions, edits }: { versions: DataVersions; edits: EditedRows }) {
    this.#versions = versions;
    this.#edits = edits;
  }

  /** @param counts Number of rows per entity type. */
  of(
    { labels: stored, imageOf }: ReturnType<Columns['read']>,
    counts: Record<EntityType, number>,
  ): Record<EntityType, EffectiveLabels> {
    const edits = this.#edits;
    const state = `${this.#versions.annotations} ${edits.state} ${counts.IMAGES} ${counts.OBJECTS}`;
    if (this.#kept?.state !== state) {
      this.#kept = { state, labels: effectiveLabels({ stored, counts, imageOf, edits }) };
    }
    return this.#kept.labels;
  }
}

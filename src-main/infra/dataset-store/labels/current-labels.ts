import type { EntityType } from '../../../contract/schemas/explore.ts';
import type { Columns } from '../columns/columns.ts';
import type { DataVersions } from '../columns/data-versions.ts';
import type { EditedRows } from '../edits/edited-rows.ts';
import { type EffectiveLabels, effectiveLabels } from './effective-labels.ts';

interface Kept {
  state: string;
  labels: Record<EntityType, EffectiveLabels>;
}

/** The effective labels of all rows, cached until labels, edits or the number of rows change; also those for one other confidence. */
export class CurrentLabels {
  readonly #versions: DataVersions;
  readonly #edits: EditedRows;
  #kept: Kept | undefined;
  #keptFrom: Kept | undefined;

  constructor({ versions, edits }: { versions: DataVersions; edits: EditedRows }) {
    this.#versions = versions;
    this.#edits = edits;
  }

  /**
   * @param counts Number of rows per entity type.
   * @param least Minimum confidence of labels from models; undefined for those that are shown by default.
   */
  of(
    { labels: stored, imageOf }: ReturnType<Columns['read']>,
    counts: Record<EntityType, number>,
    least?: number,
  ): Record<EntityType, EffectiveLabels> {
    const edits = this.#edits;
    const state = `${this.#versions.annotations} ${edits.state} ${counts.IMAGES} ${counts.OBJECTS} ${least ?? ''}`;
    const known = least === undefined ? this.#kept : this.#keptFrom;
    if (known?.state === state) return known.labels;
    const labels = effectiveLabels({ stored, counts, imageOf, edits, least });
    if (least === undefined) this.#kept = { state, labels };
    else this.#keptFrom = { state, labels };
    return labels;
  }
}

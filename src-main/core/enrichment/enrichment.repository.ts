import type { EnrichmentType } from '../../contract/schemas/model-definition.ts';
import type { Catalog } from '../../infra/catalog/catalog.ts';

export type AppliedModels = Partial<Record<EnrichmentType, string>>;

/** Cosines of an encoder between texts and pictures that have nothing to do with each other. */
export interface Background {
  mean: number;
  deviation: number;
}

interface Row {
  models: string;
  background_mean: number | null;
  background_deviation: number | null;
}

/** What datasets are enriched with. */
export class EnrichmentRepository {
  readonly #catalog: Catalog;

  constructor(catalog: Catalog) {
    this.#catalog = catalog;
  }

  modelsOf(dataset_id: string): AppliedModels {
    const row = this.#find(dataset_id);
    return row ? (JSON.parse(row.models) as AppliedModels) : {};
  }

  backgroundOf(dataset_id: string): Background | undefined {
    const row = this.#find(dataset_id);
    if (row?.background_mean == null || row.background_deviation == null) return undefined;
    return { mean: row.background_mean, deviation: row.background_deviation };
  }

  /** Joins the caller's transaction, as {@link saveBackground} does. */
  insert(dataset_id: string, models: AppliedModels, background: Background | undefined): void {
    this.#catalog.run('INSERT INTO enrichment VALUES (:dataset_id, :models, :mean, :deviation)', {
      dataset_id,
      models: JSON.stringify(models),
      mean: background?.mean ?? null,
      deviation: background?.deviation ?? null,
    });
  }

  saveBackground(dataset_id: string, { mean, deviation }: Background): void {
    this.#catalog.run(
      'UPDATE enrichment SET background_mean = :mean, background_deviation = :deviation WHERE dataset_id = :dataset_id',
      { dataset_id, mean, deviation },
    );
  }

  /** Whether a task works on a dataset that is, or becomes, enriched with one of the models. */
  isInUse(model_ids: readonly string[]): boolean {
    return this.#catalog
      .all<{ models: string }>(
        `SELECT models FROM enrichment JOIN task USING (dataset_id) WHERE task.status IN ('INITIALIZING', 'RUNNING')`,
      )
      .some(({ models }) => Object.values(JSON.parse(models) as AppliedModels).some((id) => model_ids.includes(id)));
  }

  #find(dataset_id: string): Row | undefined {
    return this.#catalog.find<Row>(
      'SELECT models, background_mean, background_deviation FROM enrichment WHERE dataset_id = :dataset_id',
      { dataset_id },
    );
  }
}

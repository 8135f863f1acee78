import type { EntityType } from '../../contract/schemas/explore.ts';
import type { EnrichmentType } from '../../contract/schemas/model-definition.ts';
import type { Catalog } from '../../infra/catalog/catalog.ts';

export type AppliedModels = Partial<Record<EnrichmentType, string>>;

/** Cosines of an encoder between texts and images that have nothing to do with each other. */
export interface Background {
  mean: number;
  deviation: number;
}

/** Images and crops of them lie apart in an encoder's space, so each kind has its own. */
export type Backgrounds = Partial<Record<EntityType, Background>>;

interface Row {
  models: string;
  backgrounds: string;
}

/** What datasets are enriched with. */
export class EnrichmentRepository {
  readonly #catalog: Catalog;

  constructor(catalog: Catalog) {
    this.#catalog = catalog;
  }

  modelsOf(datasetId: string): AppliedModels {
    const row = this.#find(datasetId);
    return row ? (JSON.parse(row.models) as AppliedModels) : {};
  }

  backgroundsOf(datasetId: string): Backgrounds {
    const row = this.#find(datasetId);
    return row ? (JSON.parse(row.backgrounds) as Backgrounds) : {};
  }

  /** Joins the caller's transaction. */
  insert(datasetId: string, models: AppliedModels, backgrounds: Backgrounds): void {
    this.#catalog.run('INSERT INTO enrichment VALUES (:dataset_id, :models, :backgrounds)', {
      dataset_id: datasetId,
      models: JSON.stringify(models),
      backgrounds: JSON.stringify(backgrounds),
    });
  }

  /** A dataset has got a space of meaning. Joins the caller's transaction. */
  setEncoder(datasetId: string, modelId: string, backgrounds: Backgrounds): void {
    const models: AppliedModels = { ...this.modelsOf(datasetId), MULTIMODEL_IMAGE_ENCODING: modelId };
    this.#catalog.run(
      `INSERT INTO enrichment VALUES (:dataset_id, :models, :backgrounds)
       ON CONFLICT (dataset_id) DO UPDATE SET models = excluded.models, backgrounds = excluded.backgrounds`,
      { dataset_id: datasetId, models: JSON.stringify(models), backgrounds: JSON.stringify(backgrounds) },
    );
  }

  saveBackgrounds(datasetId: string, backgrounds: Backgrounds): void {
    this.#catalog.run('UPDATE enrichment SET backgrounds = :backgrounds WHERE dataset_id = :dataset_id', {
      dataset_id: datasetId,
      backgrounds: JSON.stringify(backgrounds),
    });
  }

  /** Whether a task works on a dataset that is, or becomes, enriched with one of the models. */
  isInUse(modelIds: readonly string[]): boolean {
    return this.#catalog
      .all<{ models: string }>(
        `SELECT models FROM enrichment JOIN task USING (dataset_id) WHERE task.status IN ('INITIALIZING', 'RUNNING')`,
      )
      .some(({ models }) => Object.values(JSON.parse(models) as AppliedModels).some((id) => modelIds.includes(id)));
  }

  #find(datasetId: string): Row | undefined {
    return this.#catalog.find<Row>('SELECT models, backgrounds FROM enrichment WHERE dataset_id = :dataset_id', {
      dataset_id: datasetId,
    });
  }
}

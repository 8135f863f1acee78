import type { EntityType } from '../../contract/schemas/explore.ts';
import type { EnrichmentType } from '../../contract/schemas/model-definition.ts';
import type { Catalog } from '../ports/catalog.ts';
import type { NoiseDistribution } from '../ports/query.ts';

export type AppliedModels = Partial<Record<EnrichmentType, string>>;

/** Noise distributions by entity type. Images and crops differ in an encoder's space, so each entity type has its own distribution. */
export type NoiseDistributions = Partial<Record<EntityType, NoiseDistribution>>;

/** Choice of an owner who wants no encoder: the dataset has only its `looks` space until a person adds another. */
export const NO_ENCODER = 'none';

interface Row {
  models: string;
  /** Noise distributions by entity type. */
  backgrounds: string;
  wanted_encoder: string | null;
}

/** An idle dataset, the encoder that it is to get, and the email address of the dataset's owner. */
export interface RequestedEncoder {
  dataset_id: string;
  encoder_id: string;
  owner_email: string;
}

/** Stores the models that datasets are enriched with. */
export class EnrichmentRepository {
  readonly #catalog: Catalog;

  constructor(catalog: Catalog) {
    this.#catalog = catalog;
  }

  modelsOf(datasetId: string): AppliedModels {
    const row = this.#find(datasetId);
    return row ? (JSON.parse(row.models) as AppliedModels) : {};
  }

  noiseOf(datasetId: string): NoiseDistributions {
    const row = this.#find(datasetId);
    return row ? (JSON.parse(row.backgrounds) as NoiseDistributions) : {};
  }

  /**
   * Stores the models of a copy. A copy without an encoder keeps the choice to have none. Joins the caller's transaction.
   * @param sourceId Dataset that is copied.
   */
  insert(datasetId: string, sourceId: string, models: AppliedModels, noise: NoiseDistributions): void {
    const wantsNone = models.MULTIMODEL_IMAGE_ENCODING === undefined && this.#wantsNone(sourceId);
    this.#insert(datasetId, {
      models: JSON.stringify(models),
      backgrounds: JSON.stringify(noise),
      wanted_encoder: wantsNone ? NO_ENCODER : null,
    });
  }

  /** Records that a dataset has a `meaning` space. Joins the caller's transaction. */
  setEncoder(datasetId: string, modelId: string, noise: NoiseDistributions): void {
    const models: AppliedModels = { ...this.modelsOf(datasetId), MULTIMODEL_IMAGE_ENCODING: modelId };
    const row: Row = { models: JSON.stringify(models), backgrounds: JSON.stringify(noise), wanted_encoder: null };
    // Not an upsert: its way to treat conflicts would replace that of the trigger, which fails if the dataset is marked as unsaved already.
    if (this.#find(datasetId) === undefined) this.#insert(datasetId, row);
    else
      this.#catalog.run(
        `UPDATE enrichment SET models = :models, backgrounds = :backgrounds, wanted_encoder = :wanted_encoder
       WHERE dataset_id = :dataset_id`,
        { dataset_id: datasetId, ...row },
      );
  }

  /** Removes the encoder of a dataset. Joins the caller's transaction. */
  removeEncoder(datasetId: string): void {
    this.#catalog.run(
      `UPDATE enrichment SET models = json_remove(models, '$.MULTIMODEL_IMAGE_ENCODING'), backgrounds = '{}' WHERE dataset_id = :dataset_id`,
      { dataset_id: datasetId },
    );
  }

  /** Records the encoder that the dataset gets once it is installed, or {@link NO_ENCODER}. Joins the caller's transaction. */
  want(datasetId: string, encoderId: string): void {
    this.#insert(datasetId, { models: '{}', backgrounds: '{}', wanted_encoder: encoderId });
  }

  /** Records an encoder for all datasets that neither have one nor a choice. Joins the caller's transaction. */
  wantWhereMissing(encoderId: string): void {
    const encoder = { encoder_id: encoderId };
    this.#catalog.run(
      `UPDATE enrichment SET wanted_encoder = :encoder_id
       WHERE wanted_encoder IS NULL AND models ->> 'MULTIMODEL_IMAGE_ENCODING' IS NULL`,
      encoder,
    );
    this.#catalog.run(
      `INSERT INTO enrichment SELECT dataset_id, '{}', '{}', :encoder_id FROM dataset
       WHERE dataset_id NOT IN (SELECT dataset_id FROM enrichment)`,
      encoder,
    );
  }

  /**
   * Returns the models of a dataset in the form that {@link put} takes; null if the dataset is not enriched. A requested encoder that is
   * not installed yet is omitted.
   */
  take(datasetId: string): string | null {
    const row = this.#find(datasetId);
    if (!row) return null;
    const { models, backgrounds } = row;
    return JSON.stringify({ models, backgrounds, ...(this.#wantsNone(datasetId) && { wanted_encoder: NO_ENCODER }) });
  }

  /** Sets the models of a dataset to those of another state. Joins the caller's transaction. */
  put(datasetId: string, taken: string | null): void {
    this.#catalog.run('DELETE FROM enrichment WHERE dataset_id = :dataset_id', { dataset_id: datasetId });
    if (taken === null) return;
    this.#insert(datasetId, { wanted_encoder: null, ...(JSON.parse(taken) as Omit<Row, 'wanted_encoder'>) });
  }

  /** Returns the encoder that the dataset gets once it is installed. */
  requestedEncoderOf(datasetId: string): string | null {
    return this.#wantsNone(datasetId) ? null : (this.#find(datasetId)?.wanted_encoder ?? null);
  }

  /** Joins the caller's transaction. */
  forgetRequest(datasetId: string): void {
    this.#catalog.run('UPDATE enrichment SET wanted_encoder = NULL WHERE dataset_id = :dataset_id', {
      dataset_id: datasetId,
    });
  }

  listRequested(): RequestedEncoder[] {
    return this.#catalog.all<RequestedEncoder>(
      `SELECT dataset_id, wanted_encoder AS encoder_id, user.email AS owner_email
       FROM enrichment JOIN dataset USING (dataset_id) JOIN user ON user_id = owner_id
       WHERE wanted_encoder IS NOT NULL AND wanted_encoder <> '${NO_ENCODER}' AND status_new IN ('READY', 'PARTIAL INDEX')`,
    );
  }

  /** Lists the encoders of all datasets that have one. */
  listEncoded(): { dataset_id: string; encoder_id: string }[] {
    return this.#catalog.all(
      `SELECT dataset_id, models ->> 'MULTIMODEL_IMAGE_ENCODING' AS encoder_id FROM enrichment JOIN dataset USING (dataset_id)
       WHERE encoder_id IS NOT NULL AND status_new IN ('READY', 'PARTIAL INDEX')`,
    );
  }

  saveNoise(datasetId: string, noise: NoiseDistributions): void {
    this.#catalog.run('UPDATE enrichment SET backgrounds = :backgrounds WHERE dataset_id = :dataset_id', {
      dataset_id: datasetId,
      backgrounds: JSON.stringify(noise),
    });
  }

  /**
   * Whether a task works on a dataset that is, or will be, enriched with one of the models. Tasks that do not lock their dataset need no
   * model.
   */
  isInUse(modelIds: readonly string[]): boolean {
    return this.#catalog
      .all<{ models: string }>(
        `SELECT models FROM enrichment JOIN task USING (dataset_id)
         WHERE task.status IN ('INITIALIZING', 'RUNNING') AND EXISTS (SELECT 1 FROM task_lock WHERE task_lock.task_id = task.task_id)`,
      )
      .some(({ models }) => Object.values(JSON.parse(models) as AppliedModels).some((id) => modelIds.includes(id)));
  }

  #wantsNone(datasetId: string): boolean {
    return this.#find(datasetId)?.wanted_encoder === NO_ENCODER;
  }

  #insert(datasetId: string, row: Row): void {
    this.#catalog.run('INSERT INTO enrichment VALUES (:dataset_id, :models, :backgrounds, :wanted_encoder)', {
      dataset_id: datasetId,
      ...row,
    });
  }

  #find(datasetId: string): Row | undefined {
    return this.#catalog.find<Row>(
      'SELECT models, backgrounds, wanted_encoder FROM enrichment WHERE dataset_id = :dataset_id',
      {
        dataset_id: datasetId,
      },
    );
  }
}

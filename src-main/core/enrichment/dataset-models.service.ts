import { AppError } from '../../contract/errors.ts';
import { message } from '../../contract/messages.ts';
import { ENTITY_TYPES, type EntityType } from '../../contract/schemas/explore.ts';
import type { EnrichmentType } from '../../contract/schemas/model-definition.ts';
import type { DatasetStore, StoreReads } from '../ports/dataset-store.ts';
import type { Encoder, Encoders } from '../ports/encoder.ts';
import type { Inference, ModelRef } from '../ports/inference.ts';
import type { LocalJobs } from '../ports/local-jobs.ts';
import type { ModelLibrary } from '../ports/model.ts';
import type { TaskRun } from '../tasks/define-task.ts';
import {
  type ApplyParts,
  applyToImages,
  applyToObjects,
  type BoxModels,
  describeBoxes,
  encodeCaptions,
} from './apply-models.ts';
import type { AppliedModels, EnrichmentRepository } from './enrichment.repository.ts';

/** Types of models, other than encoders, that are applied to whole images. */
const IMAGE_TYPES = ['IMAGE_TAGGING', 'OBJECT_DETECTION', 'CAPTION_IMAGES'] as const satisfies EnrichmentType[];

/** Minimum number of items to derive linkage thresholds from their vectors. */
const MEASURABLE_ITEMS = 64;

export interface ModelPass {
  task: Pick<TaskRun<unknown, unknown>, 'beginStep' | 'reportSaved' | 'signal'>;
  store: DatasetStore;
  /** Models applied to images and captions. */
  models: AppliedModels;
  /** Encoder of the images in this pass; undefined if their vectors exist already. */
  image_encoder?: ModelRef | undefined;
  /** Models applied in this pass to the objects that existed before. */
  object_models?: ModelRef[];
  /** Captioner applied to boxes when they become objects. */
  object_captioner?: ModelRef | undefined;
  batch_id: string | null;
  /** Id of the batch whose boxes become objects. */
  boxes_of: string;
  share: { from: number; to: number };
}

type BatchTask = ModelPass['task'] & Pick<TaskRun<unknown, unknown>, 'dataset_id'>;

/** Returns the models that datasets are enriched with, and applies them to existing and new items. */
export class DatasetModelsService {
  readonly #parts: {
    built_in: Encoder;
    library: ModelLibrary;
    inference: Inference;
    localJobs: LocalJobs;
    enrichments: EnrichmentRepository;
    swapRgb: () => boolean;
  };

  /** @param parts.built_in Encoder that datasets are indexed with until an enrichment sets another one. */
  constructor(parts: {
    built_in: Encoder;
    library: ModelLibrary;
    inference: Inference;
    localJobs: LocalJobs;
    enrichments: EnrichmentRepository;
    swapRgb: () => boolean;
  }) {
    this.#parts = parts;
  }

  /**
   * Returns the encoders of a dataset.
   * @throws AppError `invalid_request` if an encoder is not installed, or is a file of precomputed embeddings, which has vectors only for
   * the items that it was imported for.
   */
  async encodersOf(store: StoreReads, entityType: EntityType): Promise<Encoders> {
    const { built_in } = this.#parts;
    const looks = await store.vectors.findSpace('looks', entityType);
    const meaning = await store.vectors.findSpace('meaning', entityType);
    return {
      looks: looks === undefined ? built_in : await this.#encoder(looks.encoder_id),
      meaning: meaning && (await this.#encoder(meaning.encoder_id)),
    };
  }

  /** Like {@link encodersOf}, but omits the encoder of the `meaning` space if it is not installed. */
  async availableEncodersOf(store: StoreReads, entityType: EntityType): Promise<Encoders> {
    try {
      return await this.encodersOf(store, entityType);
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'invalid_request') throw error;
      return { looks: this.#parts.built_in, meaning: undefined };
    }
  }

  /** Starts processes with the encoders of a dataset, as far as these are known before its store is open. */
  async warm(datasetId: string): Promise<void> {
    const { built_in, localJobs, enrichments } = this.#parts;
    const { MULTIMODEL_IMAGE_ENCODING: chosen } = enrichments.modelsOf(datasetId);
    // A missing encoder is reported when it is needed.
    const meaning = chosen === undefined ? undefined : await this.#encoder(chosen).catch(() => undefined);
    localJobs.warm({ looks: built_in, meaning });
  }

  /**
   * Returns the encoders of items and sets them in the store, before the first results are saved.
   * @throws AppError as {@link encodersOf}.
   */
  async openSpaces(datasetId: string, store: DatasetStore): Promise<Encoders> {
    const isFirst = (await store.vectors.findSpace('looks', 'IMAGES')) === undefined;
    const { MULTIMODEL_IMAGE_ENCODING: chosen } = this.#parts.enrichments.modelsOf(datasetId);
    if (isFirst && chosen !== undefined) {
      const { encoder_id, dim } = await this.#encoder(chosen);
      await store.vectors.openSpace('meaning', { encoder_id, dim });
    }
    const encoders = await this.encodersOf(store, 'IMAGES');
    const { encoder_id, dim } = encoders.looks;
    await store.vectors.openSpace('looks', { encoder_id, dim });
    return encoders;
  }

  /**
   * Returns the linkage thresholds of an encoder, finest first: all as stated, or only the finest ones if the others are better derived
   * from the vectors.
   */
  async linkageThresholdsOf(encoderId: string, nItems: number): Promise<readonly number[]> {
    const { built_in, library } = this.#parts;
    if (encoderId !== built_in.encoder_id) return (await library.find(encoderId))?.definition.cuts ?? [];
    // The similarity of images varies between datasets: with fixed thresholds, varied photos would never merge.
    return nItems < MEASURABLE_ITEMS ? built_in.linkage_thresholds : built_in.linkage_thresholds.slice(0, 1);
  }

  /** Checks that all models of a dataset can be applied to new media. @throws AppError `invalid_request` that names the missing model. */
  async assertCanAdd(datasetId: string, store: StoreReads): Promise<void> {
    for (const entityType of ENTITY_TYPES) await this.encodersOf(store, entityType);
    for (const modelId of Object.values(this.#parts.enrichments.modelsOf(datasetId))) {
      await this.#parts.library.get(modelId);
    }
  }

  /** Applies the models that the dataset is enriched with to the items of a batch, whose vectors are already stored. */
  async applyToBatch(task: BatchTask, store: DatasetStore, batchId: string, share: ModelPass['share']): Promise<void> {
    const models = this.#parts.enrichments.modelsOf(task.dataset_id);
    if (Object.keys(models).length === 0) return;
    const { MULTIMODEL_IMAGE_ENCODING: _encoder, CAPTION_OBJECTS: _captioner, ...others } = models;
    await this.run({
      task,
      store,
      models: others,
      object_captioner: await this.#objectCaptioner(task.dataset_id),
      batch_id: batchId,
      boxes_of: batchId,
      share,
    });
  }

  /** Turns the boxes from annotations of a batch into objects. */
  async describeBoxes(task: BatchTask, store: DatasetStore, batchId: string, share: ModelPass['share']): Promise<void> {
    const captioner = await this.#objectCaptioner(task.dataset_id);
    await this.#describeBoxes(
      { task, store, models: {}, object_captioner: captioner, batch_id: batchId, boxes_of: batchId, share },
      share,
    );
  }

  /** Computes the vectors of captions that have none, if the dataset has a sentence encoder. */
  async encodeNewCaptions(
    task: ModelPass['task'],
    store: DatasetStore,
    datasetId: string,
    share: ModelPass['share'],
  ): Promise<void> {
    const encoder = this.#parts.enrichments.modelsOf(datasetId).CAPTION_ENCODING;
    if (encoder === undefined) return;
    task.beginStep(message('step_reading_captions'), share, null);
    await encodeCaptions(this.#apply({ task, store }, 0), (await this.#parts.library.get(encoder)).ref);
  }

  /**
   * Runs a pass over objects, images and captions. An interrupted pass continues where it stopped. Boxes detected on images become objects
   * together with their image; other pending boxes are left from a crash.
   */
  async run(pass: ModelPass): Promise<void> {
    const { task, store, models, share } = pass;
    const at = (part: number) => share.from + (share.to - share.from) * part;
    const images = await store.enrichment.progress('models', 'IMAGES');
    // Objects detected on images are already described.
    if (images.n_done === 0) await this.#applyToObjects(pass, { from: at(0), to: at(0.2) });
    const imageModels = await this.#imageModels(pass);
    if (imageModels.length > 0) {
      task.beginStep(message('step_applying_models'), { from: at(0.2), to: at(0.85) }, images.n_rows);
      const boxModels = models.OBJECT_DETECTION ? await this.#boxModels(pass) : undefined;
      await applyToImages(this.#apply(pass, images.n_done), imageModels, pass.batch_id, boxModels);
    }
    await this.#describeBoxes(pass, { from: at(0.85), to: at(0.95) });
    if (models.CAPTION_ENCODING) {
      task.beginStep(message('step_reading_captions'), { from: at(0.95), to: at(1) }, null);
      await encodeCaptions(this.#apply(pass, 0), (await this.#parts.library.get(models.CAPTION_ENCODING)).ref);
    }
    await store.enrichment.finish('models', ENTITY_TYPES);
  }

  /** Computes the vectors of the `meaning` space for existing items or objects. The space must have been started with this encoder. */
  async addMeaning(
    pass: Pick<ModelPass, 'task' | 'store' | 'share'>,
    encoder: ModelRef,
    entityType: EntityType,
  ): Promise<void> {
    const { task, store, share } = pass;
    const { n_done, n_rows } = await store.enrichment.progress('meaning', entityType);
    const isOfImages = entityType === 'IMAGES';
    task.beginStep(message(isOfImages ? 'step_adding_meaning' : 'step_looking_at_objects'), share, n_rows);
    const parts: ApplyParts = { ...this.#apply(pass, n_done), pass: 'meaning' };
    if (isOfImages) await applyToImages(parts, [encoder], null);
    else await applyToObjects(parts, [encoder]);
    await store.enrichment.finish('meaning', [entityType]);
  }

  async #imageModels({ models, image_encoder }: ModelPass): Promise<ModelRef[]> {
    const ids = IMAGE_TYPES.flatMap((type) => models[type] ?? []);
    const others = await Promise.all(ids.map(async (modelId) => (await this.#parts.library.get(modelId)).ref));
    return image_encoder ? [image_encoder, ...others] : others;
  }

  async #applyToObjects(pass: ModelPass, share: ModelPass['share']): Promise<void> {
    const { task, store, object_models = [] } = pass;
    const { n_done, n_rows } = await store.enrichment.progress('models', 'OBJECTS');
    if (object_models.length === 0 || n_done === n_rows) return;
    task.beginStep(message('step_looking_at_objects'), share, n_rows);
    await applyToObjects(this.#apply(pass, n_done), object_models);
  }

  async #describeBoxes(pass: ModelPass, share: ModelPass['share']): Promise<void> {
    const { task, store, boxes_of } = pass;
    const nBoxes = await store.annotations.countBoxes(boxes_of);
    if (nBoxes === 0) return;
    task.beginStep(message('step_looking_at_objects'), share, nBoxes);
    await describeBoxes(this.#apply(pass, 0), boxes_of, await this.#boxModels(pass));
  }

  async #boxModels({ store, object_captioner }: ModelPass): Promise<BoxModels> {
    return { encoders: await this.encodersOf(store, 'OBJECTS'), captioner: object_captioner };
  }

  async #objectCaptioner(datasetId: string): Promise<ModelRef | undefined> {
    const modelId = this.#parts.enrichments.modelsOf(datasetId).CAPTION_OBJECTS;
    return modelId === undefined ? undefined : (await this.#parts.library.get(modelId)).ref;
  }

  #apply({ task, store }: Pick<ModelPass, 'task' | 'store'>, doneBefore: number): ApplyParts {
    const { inference, localJobs, swapRgb } = this.#parts;
    const onDone = (done: number) => task.reportSaved(doneBefore + done);
    return { store, inference, localJobs, swapRgb: swapRgb(), pass: 'models', signal: task.signal, onDone };
  }

  async #encoder(encoderId: string): Promise<Encoder> {
    const { built_in, library } = this.#parts;
    if (encoderId === built_in.encoder_id) return built_in;
    const { ref, runner } = await library.get(encoderId);
    if (runner.kind !== 'image_encoder') {
      throw new AppError('invalid_request', message('embedding_config_of_other_origin'));
    }
    const definition = (await library.find(encoderId))?.definition;
    return { encoder_id: encoderId, dim: runner.dim, model: ref, linkage_thresholds: definition?.cuts ?? [] };
  }
}

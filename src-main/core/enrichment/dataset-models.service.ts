import { AppError } from '../../contract/errors.ts';
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

/** Types whose models look at whole images, beside encoders. */
const IMAGE_TYPES = ['IMAGE_TAGGING', 'OBJECT_DETECTION', 'CAPTION_IMAGES'] as const satisfies EnrichmentType[];

/** From fewer items little can be learnt of how alike they are. */
const MEASURABLE_ITEMS = 64;

export interface ModelPass {
  task: Pick<TaskRun<unknown, unknown>, 'beginStep' | 'reportSaved' | 'signal'>;
  store: DatasetStore;
  /** Applied to images and captions. */
  models: AppliedModels;
  /** Makes the vectors of images in this pass; left out when they are there. */
  image_encoder?: ModelRef | undefined;
  /** Applied in this pass to the objects that were there before. */
  object_models?: ModelRef[];
  /** Applied to boxes as they become objects. */
  object_captioner?: ModelRef | undefined;
  batch_id: string | null;
  /** Boxes of this batch become objects. */
  boxes_of: string;
  share: { from: number; to: number };
}

type BatchTask = ModelPass['task'] & Pick<TaskRun<unknown, unknown>, 'dataset_id'>;

/** The models that datasets are enriched with: which they are, and their application to what is there and what comes. */
export class DatasetModelsService {
  readonly #parts: {
    built_in: Encoder;
    library: ModelLibrary;
    inference: Inference;
    localJobs: LocalJobs;
    enrichments: EnrichmentRepository;
    swapRgb: () => boolean;
  };

  /** @param parts.built_in What datasets are indexed with until an enrichment gives them another encoder. */
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
   * What makes the vectors of a dataset.
   * @throws AppError `invalid_request` when an encoder is not here (any more), or only knows the items that it was brought for.
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

  /** As {@link encodersOf}, but without an encoder of meaning that is not here. */
  async availableEncodersOf(store: StoreReads, entityType: EntityType): Promise<Encoders> {
    try {
      return await this.encodersOf(store, entityType);
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'invalid_request') throw error;
      return { looks: this.#parts.built_in, meaning: undefined };
    }
  }

  /** Has processes start for what a dataset is indexed with, as far as that is known before its store is open. */
  async warm(datasetId: string): Promise<void> {
    const { built_in, localJobs, enrichments } = this.#parts;
    const { MULTIMODEL_IMAGE_ENCODING: chosen } = enrichments.modelsOf(datasetId);
    // One that is not here is told of when it is needed.
    const meaning = chosen === undefined ? undefined : await this.#encoder(chosen).catch(() => undefined);
    localJobs.warm({ looks: built_in, meaning });
  }

  /** The encoders of items, when the first results are about to come. @throws AppError as {@link encodersOf}. */
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
   * Where clusters of an encoder's vectors stop growing, finest first: as stated, or only the finest where the others are better found from
   * the vectors.
   */
  async linkageThresholdsOf(encoderId: string, nItems: number): Promise<readonly number[]> {
    const { built_in, library } = this.#parts;
    if (encoderId !== built_in.encoder_id) return (await library.find(encoderId))?.definition.cuts ?? [];
    // How alike images look differs much from dataset to dataset: fixed levels leave varied photos apart.
    return nItems < MEASURABLE_ITEMS ? built_in.linkage_thresholds : built_in.linkage_thresholds.slice(0, 1);
  }

  /** Whether what is added can be given to all models of a dataset. @throws AppError `invalid_request` that says what is missing. */
  async assertCanAdd(datasetId: string, store: StoreReads): Promise<void> {
    for (const entityType of ENTITY_TYPES) await this.encodersOf(store, entityType);
    for (const modelId of Object.values(this.#parts.enrichments.modelsOf(datasetId))) {
      await this.#parts.library.get(modelId);
    }
  }

  /** Gives the items of a batch to the models that its dataset is enriched with. Their vectors are there. */
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

  /** Makes objects of the boxes that annotations of a batch brought. */
  async describeBoxes(task: BatchTask, store: DatasetStore, batchId: string, share: ModelPass['share']): Promise<void> {
    const captioner = await this.#objectCaptioner(task.dataset_id);
    await this.#describeBoxes(
      { task, store, models: {}, object_captioner: captioner, batch_id: batchId, boxes_of: batchId, share },
      share,
    );
  }

  /**
   * Goes through objects, images and captions; a pass that was cut off goes on where it stopped. What is found on images becomes objects along
   * with them; boxes that wait in spite of it are those that a crash left.
   */
  async run(pass: ModelPass): Promise<void> {
    const { task, store, models, share } = pass;
    const at = (part: number) => share.from + (share.to - share.from) * part;
    const images = await store.enrichment.progress('models', 'IMAGES');
    // Objects that images bring are described already.
    if (images.n_done === 0) await this.#applyToObjects(pass, { from: at(0), to: at(0.2) });
    const imageModels = await this.#imageModels(pass);
    if (imageModels.length > 0) {
      task.beginStep('Applying models', { from: at(0.2), to: at(0.85) }, images.n_rows);
      const boxModels = models.OBJECT_DETECTION ? await this.#boxModels(pass) : undefined;
      await applyToImages(this.#apply(pass, images.n_done), imageModels, pass.batch_id, boxModels);
    }
    await this.#describeBoxes(pass, { from: at(0.85), to: at(0.95) });
    if (models.CAPTION_ENCODING) {
      task.beginStep('Reading captions', { from: at(0.95), to: at(1) }, null);
      await encodeCaptions(this.#apply(pass, 0), (await this.#parts.library.get(models.CAPTION_ENCODING)).ref);
    }
    await store.enrichment.finish('models');
  }

  /** Gives vectors of meaning to everything that is there, by an encoder whose space has been begun. */
  async addMeaning(pass: Pick<ModelPass, 'task' | 'store' | 'share'>, encoder: ModelRef): Promise<void> {
    const { task, store, share } = pass;
    const split = share.from + (share.to - share.from) * 0.8;
    const images = await store.enrichment.progress('meaning', 'IMAGES');
    task.beginStep('Adding meaning', { from: share.from, to: split }, images.n_rows);
    await applyToImages({ ...this.#apply(pass, images.n_done), pass: 'meaning' }, [encoder], null);
    const objects = await store.enrichment.progress('meaning', 'OBJECTS');
    task.beginStep('Looking at objects', { from: split, to: share.to }, objects.n_rows);
    await applyToObjects({ ...this.#apply(pass, objects.n_done), pass: 'meaning' }, [encoder]);
    await store.enrichment.finish('meaning');
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
    task.beginStep('Looking at objects', share, n_rows);
    await applyToObjects(this.#apply(pass, n_done), object_models);
  }

  async #describeBoxes(pass: ModelPass, share: ModelPass['share']): Promise<void> {
    const { task, store, boxes_of } = pass;
    const nBoxes = await store.annotations.countBoxes(boxes_of);
    if (nBoxes === 0) return;
    task.beginStep('Looking at objects', share, nBoxes);
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
      throw new AppError(
        'invalid_request',
        'The dataset has no embedding_config for new media: its embeddings were brought from elsewhere',
      );
    }
    const definition = (await library.find(encoderId))?.definition;
    return { encoder_id: encoderId, dim: runner.dim, model: ref, linkage_thresholds: definition?.cuts ?? [] };
  }
}

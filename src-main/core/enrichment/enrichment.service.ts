import { AppError } from '../../contract/errors.ts';
import { formatMessage, type Message, message } from '../../contract/messages.ts';
import type { EnrichmentContext, EnrichmentModel, EnrichmentPreview } from '../../contract/schemas/model.ts';
import { ENRICHMENT_TYPES, type EnrichmentType } from '../../contract/schemas/model-definition.ts';
import type { DatasetContext } from '../access/contexts.ts';
import type { DatasetCatalog } from '../datasets/dataset-catalog.ts';
import type { DatasetDrafts } from '../datasets/dataset-drafts.ts';
import type { DatasetRow } from '../datasets/dataset-row.ts';
import type { EventBus } from '../events.ts';
import type { SomeHandlers } from '../handlers.ts';
import type { MediaFolders } from '../media/media-folders.ts';
import type { KnownModel, ModelLibrary } from '../ports/model.ts';
import type { TaskService } from '../tasks/task.service.ts';
import type { DatasetModelsService } from './dataset-models.service.ts';
import type { defineEnrichDatasetTask } from './enrich-dataset.task.ts';
import type { AppliedModels, EnrichmentRepository } from './enrichment.repository.ts';
import type { ModelPreview } from './model-preview.ts';
import { rayRunnerOf } from './ray-model.ts';

export interface EnrichmentServiceParts {
  datasets: DatasetCatalog;
  drafts: DatasetDrafts;
  mediaFolders: MediaFolders;
  enrichments: EnrichmentRepository;
  library: ModelLibrary;
  models: DatasetModelsService;
  preview: ModelPreview;
  /** Whether a Ray cluster is configured. */
  hasRay: () => boolean;
  tasks: TaskService;
  task: ReturnType<typeof defineEnrichDatasetTask>;
  events: EventBus;
}

/** Pairs of model types: the second describes the results of the first, so applying the first again also applies the second again. */
const DESCRIBED_BY = [
  ['CAPTION_IMAGES', 'CAPTION_ENCODING'],
  ['OBJECT_DETECTION', 'CAPTION_OBJECTS'],
] as const satisfies [EnrichmentType, EnrichmentType][];

/** Lists models, previews them, and applies them to a copy of a dataset: interface 4.4. */
export class EnrichmentService {
  readonly #parts: EnrichmentServiceParts;

  /** The operations that this service handles. */
  readonly handlers = {
    list_models: (context) => this.listModels(context),
    get_enrichment_context: (context) => this.getContext(context),
    get_enrichment_status: (context, input) => this.getStatus(context, input),
    list_enrichment_failures: (context, input) => this.listFailures(context, input),
    preview_enrichment: (context, input) => this.previewModels(context, input),
    enrich_dataset: (context, input) => this.enrichDataset(context, input),
  } satisfies SomeHandlers;

  constructor(parts: EnrichmentServiceParts) {
    this.#parts = parts;
  }

  /** Lists models, applicable ones first, so that scripts that take the first of a type get an applicable one. */
  async listModels({ dataset }: DatasetContext): Promise<EnrichmentModel[]> {
    const known = await this.#parts.library.list();
    const within = new Set(Object.keys(this.#parts.enrichments.modelsOf(dataset.dataset_id)));
    for (const model of known) if (whyUnavailable(model) === undefined) within.add(model.definition.type);
    const hasRay = this.#parts.hasRay();
    const listed = known.map((model) => ({
      ...presentModel(model, whyUnavailable(model) ?? whyAlone(model, within) ?? null),
      runs_on_ray: hasRay && model.installed && rayRunnerOf(model.definition) !== undefined,
    }));
    return listed.toSorted((a, b) => Number(b.status === 'Active') - Number(a.status === 'Active'));
  }

  async getContext({ dataset: row }: DatasetContext): Promise<EnrichmentContext> {
    const store = this.#parts.datasets.storeOf(row);
    const models = this.#parts.enrichments.modelsOf(row.dataset_id);
    return {
      // A dataset has exactly one permanent enrichment context, so the dataset id identifies it.
      enrichment_context_id: row.dataset_id,
      context_id: row.dataset_id,
      status: this.#statusOf(row),
      dataset_enrichment_models: { enrichment_models: models },
      n_failed: Object.keys(models).length === 0 ? 0 : await store.enrichment.countFailures(),
      wanted_encoder: this.#parts.enrichments.requestedEncoderOf(row.dataset_id),
    };
  }

  /** For a dataset with enriched copies, returns the status of the newest enrichment; for others, the one that created the dataset. */
  getStatus(context: DatasetContext, input: { enrichment_context_id: string }): { status: string; progress: number } {
    const { datasets } = this.#parts;
    const { dataset } = context;
    const named = datasets.getVisible(context.principal, input.enrichment_context_id);
    if (named.dataset_id !== dataset.dataset_id && named.source_dataset_id !== dataset.dataset_id) {
      throw new AppError('not_found', message('enrichment_not_found'));
    }
    const row = datasets.findNewestCopy(named.dataset_id) ?? named;
    return { status: this.#statusOf(row), progress: row.progress };
  }

  async listFailures({ dataset }: DatasetContext, input: { page_number: number; page_size: number }) {
    const store = this.#parts.datasets.storeOf(dataset);
    const { page_number, page_size } = input;
    const found = await store.enrichment.listFailures({ offset: page_number * page_size, limit: page_size });
    const failures = found.map(({ reason: problem, ...row }) => ({ ...row, reason: formatMessage(problem), problem }));
    return { failures, total: await store.enrichment.countFailures(), page_number, page_size };
  }

  async previewModels(
    context: DatasetContext,
    input: { enrichment_models: Record<string, string>; n_items: number },
  ): Promise<EnrichmentPreview> {
    const { dataset: row } = context;
    const store = this.#parts.datasets.storeOf(row);
    if (row.status_new !== 'READY' && row.status_new !== 'PARTIAL INDEX') {
      throw new AppError('conflict', message('preview_needs_ready', { status: row.status_new }));
    }
    const chosen = await this.#choose(input.enrichment_models, this.#parts.enrichments.modelsOf(row.dataset_id));
    return this.#parts.preview.preview(context, row.dataset_id, store, chosen, input.n_items);
  }

  /** @throws AppError `conflict` unless the dataset is READY; `invalid_request` for a model that cannot be applied. */
  async enrichDataset(
    context: DatasetContext,
    input: { enrichment_models: Record<string, string> },
  ): Promise<{ dataset_id: string }> {
    const { datasets, drafts, mediaFolders, enrichments, library, tasks, task, events } = this.#parts;
    const { dataset: source } = context;
    assertReady(source);
    const before = enrichments.modelsOf(source.dataset_id);
    const asked = await this.#withCaptionEncoder(withDescribers(input.enrichment_models, before));
    const models = await this.#choose(asked, before);
    if (models.OBJECT_DETECTION) await this.#assertObjectsCanBeDescribed(source, models);
    const forgetModels = ENRICHMENT_TYPES.flatMap((type) => (models[type] ? [before[type], models[type]] : []));
    const { MULTIMODEL_IMAGE_ENCODING: encoderBefore } = before;
    const isRetagged = models.IMAGE_TAGGING !== undefined || models.MULTIMODEL_IMAGE_ENCODING !== undefined;
    if (encoderBefore !== undefined && isRetagged) forgetModels.push(library.findTagger(encoderBefore)?.definition.id);
    const draft = {
      name: drafts.freeName(context, `${source.display_name} (enriched)`),
      source_type: 'VL',
      source_uri: source.source_uri,
      workspace_id: source.workspace_id,
      source_dataset_id: source.dataset_id,
    } as const;
    const copy = await drafts.create(context, draft, (row) => {
      assertReady(datasets.getRow(source.dataset_id));
      tasks.assertNotBlocked('enrich_dataset', source.dataset_id);
      datasets.apply(source.dataset_id, 'enrich');
      datasets.apply(row.dataset_id, 'process_files');
      mediaFolders.holdAllOf(row.dataset_id, source.dataset_id);
      const keepsEncoder = models.MULTIMODEL_IMAGE_ENCODING === undefined;
      const noise = keepsEncoder ? enrichments.noiseOf(source.dataset_id) : {};
      enrichments.insert(row.dataset_id, source.dataset_id, { ...before, ...models }, noise);
      tasks.start(
        task,
        row.dataset_id,
        {
          source_dataset_id: source.dataset_id,
          source_generation: source.generation,
          models,
          forget_models: forgetModels.filter((modelId) => modelId !== undefined),
        },
        context.principal,
      );
    });
    tasks.wake();
    events.emit('dataset_changed', { dataset_id: source.dataset_id });
    return { dataset_id: copy.dataset_id };
  }

  #statusOf({ dataset_id, status_new }: DatasetRow): EnrichmentContext['status'] {
    const models = this.#parts.enrichments.modelsOf(dataset_id);
    if (Object.keys(models).length === 0 || status_new === 'DRAFT') return 'NEW';
    if (status_new === 'ERROR') return 'FAILED';
    return this.#parts.tasks.isWriting('ENRICHMENT', dataset_id) ? 'IN_PROGRESS' : 'COMPLETED';
  }

  /** Checks that the dataset's encoder, which detected objects need, is installed. @throws AppError `invalid_request` if it is not. */
  async #assertObjectsCanBeDescribed(source: DatasetRow, models: AppliedModels): Promise<void> {
    const encoder = await this.#parts.library.find(models.MULTIMODEL_IMAGE_ENCODING ?? '');
    if (encoder?.definition.runner.kind === 'image_encoder') return;
    await this.#parts.models.encodersOf(this.#parts.datasets.storeOf(source), 'OBJECTS');
  }

  /** Adds a sentence encoder, if one is installed, to a request for captions, so that the captions can be searched by meaning. */
  async #withCaptionEncoder(asked: Record<string, string>): Promise<Record<string, string>> {
    if (asked.CAPTION_IMAGES === undefined || asked.CAPTION_ENCODING !== undefined) return asked;
    const known = await this.#parts.library.list();
    const encoder = known.find(({ definition, installed }) => installed && definition.type === 'CAPTION_ENCODING');
    return encoder ? { ...asked, CAPTION_ENCODING: encoder.definition.id } : asked;
  }

  /**
   * Finds a model by its id. A model id of the original service selects an installed model of the same type.
   * @throws AppError `invalid_request` if no model is found; the message names the models that can be installed.
   */
  async #findModel(type: EnrichmentType, modelId: string): Promise<KnownModel> {
    const { library } = this.#parts;
    const model = await library.find(modelId);
    if (model) return model;
    if (!isOriginalModel(modelId))
      throw new AppError('invalid_request', message('model_id_unknown', { model: modelId }));
    const ofType = (await library.list()).filter(({ definition }) => definition.type === type);
    const installed = ofType.find((known) => whyUnavailable(known) === undefined);
    if (installed) return installed;
    const names = ofType.map(({ definition }) => definition.name);
    const missing = { type, model: modelId };
    throw new AppError(
      'invalid_request',
      names.length === 0
        ? message('no_model_to_install', missing)
        : message('no_model_installed', { ...missing, names: names.join(', ') }),
    );
  }

  /** Returns the requested models by type. @throws AppError `invalid_request` that names the problem of a model. */
  async #choose(requested: Record<string, string>, before: AppliedModels): Promise<AppliedModels> {
    const chosen: AppliedModels = {};
    for (const [type, modelId] of Object.entries(requested)) {
      if (!isEnrichmentType(type)) throw new AppError('invalid_request', message('enrichment_type_unknown', { type }));
      const model = await this.#findModel(type, modelId);
      if (model.definition.type !== type) {
        throw new AppError(
          'invalid_request',
          message('model_of_other_type', { model: modelId, type: model.definition.type, requested: type }),
        );
      }
      const reason = whyUnavailable(model);
      if (reason) throw new AppError('invalid_request', reason);
      for (const needed of model.definition.dependencies ?? []) {
        if (requested[needed] ?? before[needed]) continue;
        throw new AppError('invalid_request', message('enrichment_type_depends', { type, needed }));
      }
      chosen[type] = model.definition.id;
    }
    if (Object.keys(chosen).length === 0) throw new AppError('invalid_request', message('no_model_chosen'));
    return chosen;
  }
}

/** Whether an id is one of the original service's models, such as `vl_image_captioner_v00`. */
function isOriginalModel(modelId: string): boolean {
  return /^vl_\w+$/i.test(modelId);
}

/** Adds to the requested models those of the dataset that describe their results. */
function withDescribers(asked: Record<string, string>, before: AppliedModels): Record<string, string> {
  const chosen = { ...asked };
  for (const [brings, describes] of DESCRIBED_BY) {
    const modelId = before[describes];
    if (chosen[brings] !== undefined && modelId !== undefined) chosen[describes] ??= modelId;
  }
  return chosen;
}

function isEnrichmentType(type: string): type is EnrichmentType {
  return ENRICHMENT_TYPES.some((known) => known === type);
}

function whyUnavailable({ definition, installed }: KnownModel): Message | undefined {
  if (definition.status === 'Coming Soon') return message('model_not_applicable', { model: definition.name });
  return installed ? undefined : message('model_not_installed', { model: definition.name });
}

/**
 * Returns why a model cannot be applied alone; undefined if it can.
 * @param within Types that the dataset has, or that can be applied together with the model.
 */
function whyAlone({ definition }: KnownModel, within: ReadonlySet<string>): Message | undefined {
  const needed = definition.dependencies?.find((type) => !within.has(type));
  return needed && message('model_alone', { model: definition.name, type: needed });
}

function presentModel(known: KnownModel, unavailable: Message | null): Omit<EnrichmentModel, 'runs_on_ray'> {
  const { id, name, type, description, dependencies, package_id } = known.definition;
  const { vendor, licence } = known.package;
  return {
    id,
    name,
    type,
    status: unavailable === null ? 'Active' : 'Coming Soon',
    vendor,
    description,
    dependencies,
    package_id,
    licence,
    installed: known.installed,
    size_bytes: known.size_bytes,
    unavailable_reason: unavailable && formatMessage(unavailable),
    unavailable,
  };
}

function assertReady(row: DatasetRow): void {
  if (row.status_new === 'READY') return;
  throw new AppError('conflict', message('enrichment_needs_ready', { status: row.status_new }));
}

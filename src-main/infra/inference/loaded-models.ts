import { AppError } from '../../contract/errors.ts';
import { message } from '../../contract/messages.ts';
import type { ModelOutput } from '../../core/ports/inference.ts';
import type { WorkingImage } from '../images/decode-image.ts';
import type { PixelSize, PreparedImage } from '../images/image-input.ts';
import type { ModelUsage } from '../local-jobs/child-protocol.ts';
import type { JobContext } from '../local-jobs/child-runtime.ts';
import { UnfitGraphError } from './image-graph.ts';
import type { AppliedBatch, ImageModel } from './image-model.ts';
import type { LocalModel } from './local-models.ts';
import { openImageModel } from './open-image-model.ts';
import { PROCESSOR, type SessionSettings } from './session-settings.ts';

/** An image prepared for all models of a job, by {@link ImageModel.preparation_key}. */
export type Preparations = ReadonlyMap<string, PreparedImage>;

/** The models of one job. */
export interface LoadedModels {
  /** Images per call of {@link apply}. */
  batch_size: number;
  neededScale(image: PixelSize): number;
  prepare(working: WorkingImage, image: PixelSize): Promise<Preparations>;
  /**
   * Results of each model for each image. A model that fails on one image fails there only.
   * @throws AppError `unavailable` when a model is not what its description says.
   */
  apply(images: readonly Preparations[]): Promise<ModelOutput[][]>;
  usage(): ModelUsage[];
}

const PROCESSOR_BATCH = 8;
const DEVICE_BATCH = 32;

/** Loads the models of a job, or reuses loaded ones. @throws AppError `unavailable` with the name of one that cannot be loaded. */
export async function loadModels(
  specs: readonly LocalModel[],
  session: SessionSettings,
  context: Pick<JobContext, 'progress'>,
): Promise<LoadedModels> {
  const loaded: { spec: LocalModel; model: ImageModel; used: { items: number; ms: number } }[] = [];
  for (const spec of specs) {
    const model = await openImageModel(spec, { session, alive: () => context.progress(0) });
    loaded.push({ spec, model, used: { items: 0, ms: 0 } });
    context.progress(0);
  }
  return {
    batch_size: session.executionProviders[0] === PROCESSOR ? PROCESSOR_BATCH : DEVICE_BATCH,
    neededScale: (image) => loaded.reduce((most, { model }) => Math.max(most, model.neededScale(image)), 0),
    prepare: async (working, image) => {
      const prepared = new Map<string, PreparedImage>();
      for (const { model } of loaded) {
        if (prepared.has(model.preparation_key)) continue;
        prepared.set(model.preparation_key, await model.prepare(working, image));
      }
      return prepared;
    },
    apply: async (images) => {
      // One array for each preparation: models that share a graph then run it once.
      const batches = new Map<string, PreparedImage[]>();
      const outputs: ModelOutput[][] = images.map(() => []);
      for (const { spec, model, used } of loaded) {
        const key = model.preparation_key;
        const batch = batches.get(key) ?? images.map((forms) => preparationOf(forms, key));
        batches.set(key, batch);
        const applied = await applyOrFail(spec, model, batch);
        used.items += batch.length;
        used.ms += applied.ms;
        for (const [at, output] of applied.outputs.entries()) outputs[at]?.push(output);
      }
      return outputs;
    },
    usage: () =>
      loaded.map(({ spec, model, used }) => ({ model_id: spec.model_id, provider: model.provider, ...used })),
  };
}

function preparationOf(forms: Preparations, key: string): PreparedImage {
  const prepared = forms.get(key);
  if (prepared === undefined) throw new Error('An image was not prepared for a model.');
  return prepared;
}

/** Runs a batch; a batch that fails is run again image by image, so that only the image at fault fails. */
async function applyOrFail(
  spec: LocalModel,
  model: ImageModel,
  batch: readonly PreparedImage[],
): Promise<AppliedBatch> {
  try {
    return await model.apply(batch);
  } catch (error) {
    if (error instanceof UnfitGraphError) {
      const detail = message('model_not_as_described', { model: spec.model_id, problem: error.reason });
      throw new AppError('unavailable', detail);
    }
    if (batch.length === 1) {
      process.stderr.write(`${spec.model_id}: ${String(error)}\n`);
      const reason = message('model_failed', { model: spec.model_id });
      return { outputs: [{ kind: 'failed', reason }], ms: 0 };
    }
  }
  const outputs: ModelOutput[] = [];
  let ms = 0;
  for (const image of batch) {
    const alone = await applyOrFail(spec, model, [image]);
    outputs.push(...alone.outputs);
    ms += alone.ms;
  }
  return { outputs, ms };
}

import { AppError } from '../../contract/errors.ts';
import type { ModelOutput, ModelSpec } from '../../core/ports/model.ts';
import type { WorkingImage } from '../images/decode-image.ts';
import type { PixelSize, PreparedPicture } from '../images/picture-input.ts';
import { openPictureModel } from '../models/open-picture-model.ts';
import { UnfitGraphError } from '../models/picture-graph.ts';
import type { AppliedBatch, PictureModel } from '../models/picture-model.ts';
import { PROCESSOR, type SessionSettings } from '../models/session-settings.ts';
import { beginWarmJob } from '../models/warm-models.ts';
import type { ModelUsage } from './child-protocol.ts';
import type { JobContext } from './child-runtime.ts';

/** A picture in all the forms that the models of a job take, by {@link PictureModel.preparation_key}. */
export type Preparations = ReadonlyMap<string, PreparedPicture>;

/** The models of one job. */
export interface LoadedModels {
  /** Pictures to hand over at once. */
  batch_size: number;
  scaleWanted(picture: PixelSize): number;
  prepare(working: WorkingImage, picture: PixelSize): Promise<Preparations>;
  /**
   * What each model says of each picture. A model that fails on one picture fails there only.
   * @throws AppError `unavailable` when a model is not what its description says.
   */
  apply(pictures: readonly Preparations[]): Promise<ModelOutput[][]>;
  usage(): ModelUsage[];
}

const PROCESSOR_BATCH = 8;
const DEVICE_BATCH = 32;

/** Loads the models of a job, or takes the warm ones. @throws AppError `unavailable` with the name of one that cannot be loaded. */
export async function loadModels(
  specs: readonly ModelSpec[],
  session: SessionSettings,
  context: Pick<JobContext, 'progress'>,
): Promise<LoadedModels> {
  beginWarmJob();
  const loaded: { spec: ModelSpec; model: PictureModel; used: { items: number; ms: number } }[] = [];
  for (const spec of specs) {
    const model = await openPictureModel(spec, { session, alive: () => context.progress(0) });
    loaded.push({ spec, model, used: { items: 0, ms: 0 } });
    context.progress(0);
  }
  return {
    batch_size: session.executionProviders[0] === PROCESSOR ? PROCESSOR_BATCH : DEVICE_BATCH,
    scaleWanted: (picture) => loaded.reduce((most, { model }) => Math.max(most, model.scaleWanted(picture)), 0),
    prepare: async (working, picture) => {
      const prepared = new Map<string, PreparedPicture>();
      for (const { model } of loaded) {
        if (prepared.has(model.preparation_key)) continue;
        prepared.set(model.preparation_key, await model.prepare(working, picture));
      }
      return prepared;
    },
    apply: async (pictures) => {
      // One array for each preparation: models that share a graph then run it once.
      const batches = new Map<string, PreparedPicture[]>();
      const outputs: ModelOutput[][] = pictures.map(() => []);
      for (const { spec, model, used } of loaded) {
        const key = model.preparation_key;
        const batch = batches.get(key) ?? pictures.map((forms) => preparationOf(forms, key));
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

function preparationOf(forms: Preparations, key: string): PreparedPicture {
  const prepared = forms.get(key);
  if (prepared === undefined) throw new Error('A picture was not prepared for a model.');
  return prepared;
}

/** Runs a batch; one that fails is run again picture by picture, so that only the guilty one fails. */
async function applyOrFail(
  spec: ModelSpec,
  model: PictureModel,
  batch: readonly PreparedPicture[],
): Promise<AppliedBatch> {
  try {
    return await model.apply(batch);
  } catch (error) {
    if (error instanceof UnfitGraphError) {
      throw new AppError('unavailable', `The model "${spec.model_id}" is not as described: ${error.message}.`);
    }
    if (batch.length === 1) {
      process.stderr.write(`${spec.model_id}: ${String(error)}\n`);
      const reason = `The model "${spec.model_id}" failed on this picture.`;
      return { outputs: [{ kind: 'failed', reason }], ms: 0 };
    }
  }
  const outputs: ModelOutput[] = [];
  let ms = 0;
  for (const picture of batch) {
    const alone = await applyOrFail(spec, model, [picture]);
    outputs.push(...alone.outputs);
    ms += alone.ms;
  }
  return { outputs, ms };
}

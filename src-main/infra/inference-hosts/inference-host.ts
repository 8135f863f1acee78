import { AppError } from '../../contract/errors.ts';
import { message } from '../../contract/messages.ts';
import type { Inference, InferenceImage, ModelRef } from '../../core/ports/inference.ts';
import type { InferenceHost } from '../../core/ports/inference-host.ts';
import { toWire } from './wire-images.ts';

interface Parts {
  inference: Inference;
  /** Lists the installed models. */
  models: readonly ModelRef[];
  /** Number of processes that run models at the same time. */
  processes: number;
  version: string;
}

export function createInferenceHost({ inference, models, processes, version }: Parts): InferenceHost {
  return {
    describe: async () => {
      const devices = await inference.checkDevices();
      return {
        program_version: version,
        processes,
        models: models.map(({ model_id, version: of }) => ({ model_id, version: of })),
        devices: devices.map(({ provider, works }) => ({ provider, works })),
      };
    },
    infer: async ({ program_version: caller = version, ...request }, files, signal) => {
      if (caller !== version) {
        throw new AppError('conflict', message('host_of_other_version', { found: version, requested: caller }));
      }
      const refs = request.models.map(refOf);
      const boxRefs = request.box_models?.map(refOf);
      const missing = missingOf([...refs, ...(boxRefs ?? [])], models);
      if (missing.length > 0) {
        throw new AppError('conflict', message('host_models_differ', { models: missing.join(', ') }));
      }
      const waiting = [...files];
      const images = request.images.map(({ url, swap_rgb = false }, key): InferenceImage => {
        if (url !== undefined) return { key, content: { url }, swap_rgb };
        const bytes = waiting.shift();
        if (bytes === undefined) throw new Error('There are fewer files than images.');
        return { key, content: { bytes }, swap_rgb };
      });
      const results = await inference.applyToImages(images, refs, signal, boxRefs);
      return { results: results.map(toWire) };
    },
  };
}

/** Returns the ids of models that are not among those of a host. */
export function missingOf(requested: readonly ModelRef[], present: readonly Omit<ModelRef, 'labels'>[]): string[] {
  const isPresent = (ref: ModelRef) =>
    present.some(({ model_id, version }) => model_id === ref.model_id && version === ref.version);
  return [...new Set(requested.filter((ref) => !isPresent(ref)).map(({ model_id }) => model_id))];
}

const refOf = ({ model_id, version, labels }: { model_id: string; version: string; labels?: string[] | undefined }) =>
  labels ? { model_id, version, labels } : { model_id, version };

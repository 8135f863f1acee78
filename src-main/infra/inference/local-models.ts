import { createHash } from 'node:crypto';
import { AppError } from '../../contract/errors.ts';
import { message } from '../../contract/messages.ts';
import type { EnrichmentType, Runner } from '../../contract/schemas/model-definition.ts';
import type { ModelRef } from '../../core/ports/inference.ts';

/** A model whose files are on this machine. */
export interface LocalModel {
  model_id: string;
  type: EnrichmentType;
  /** Absolute folder of the package's files. */
  folder: string;
  runner: Runner;
}

/** The models on this machine by id and version. Local processes use it to find the files of a {@link ModelRef}. */
export class LocalModels {
  readonly #models = new Map<string, LocalModel>();

  /**
   * @param contentHash Identifies the content of the model's files.
   * @returns The reference under which {@link resolve} finds the model from now on.
   */
  add(model: LocalModel, contentHash = ''): ModelRef {
    const { model_id, type, runner } = model;
    const version = createHash('sha256')
      .update(JSON.stringify([type, runner, contentHash]))
      .digest('hex');
    const ref = { model_id, version };
    this.#models.set(keyOf(ref), model);
    return ref;
  }

  remove(ref: ModelRef): void {
    this.#models.delete(keyOf(ref));
  }

  /** @throws AppError `unavailable` when this machine does not have the version. */
  resolve(ref: ModelRef): LocalModel {
    const model = this.#models.get(keyOf(ref));
    if (model === undefined) {
      throw new AppError('unavailable', message('model_version_missing', { model: ref.model_id }));
    }
    const { runner } = model;
    if (ref.labels === undefined || runner.kind !== 'zero_shot') return model;
    return { ...model, runner: { ...runner, labels: [...ref.labels] } };
  }
}

const keyOf = ({ model_id, version }: ModelRef): string => `${model_id} ${version}`;

import type { Input, Output } from '../../contract/contract.ts';
import { AppError } from '../../contract/errors.ts';
import { message } from '../../contract/messages.ts';
import type { CallContext } from '../core.ts';
import type { SomeHandlers } from '../handlers.ts';
import type { ModelLibrary } from '../ports/model.ts';
import type { ModelStore } from '../ports/model-store.ts';

export interface ModelLabelsParts {
  library: ModelLibrary;
  store: Pick<ModelStore, 'readLabels' | 'saveLabels'>;
  /** Notifies listeners that a list has changed. */
  announce: () => void;
  /** Receives the id of a model whose list has changed. */
  listChanged: (modelId: string) => void;
}

/** Stores the label lists of taggers that accept any list. */
export class ModelLabelsService {
  readonly #parts: ModelLabelsParts;

  /** The operations that this service handles. */
  readonly handlers = {
    get_model_labels: (context, input) => this.get(context, input),
    set_model_labels: (context, input) => this.set(context, input),
  } satisfies SomeHandlers;

  constructor(parts: ModelLabelsParts) {
    this.#parts = parts;
  }

  async get(_context: CallContext, { model_id }: Input<'get_model_labels'>): Promise<Output<'get_model_labels'>> {
    const first = await this.#firstLabels(model_id);
    const own = await this.#parts.store.readLabels(model_id);
    return { labels: own ?? first, is_default: own === null };
  }

  /** Replaces the list. Blank and duplicate labels are removed. */
  async set(
    context: CallContext,
    { model_id, labels }: Input<'set_model_labels'>,
  ): Promise<Output<'set_model_labels'>> {
    await this.#firstLabels(model_id);
    const distinct = labels && [...new Set(labels)];
    if (distinct && distinct.length < 2) throw new AppError('invalid_request', message('label_list_too_short'));
    await this.#parts.store.saveLabels(model_id, distinct);
    this.#parts.announce();
    this.#parts.listChanged(model_id);
    return this.get(context, { model_id });
  }

  async #firstLabels(modelId: string): Promise<string[]> {
    const known = await this.#parts.library.find(modelId);
    if (!known) throw new AppError('not_found', message('model_not_found'));
    const { runner, name } = known.definition;
    if (runner.kind !== 'zero_shot')
      throw new AppError('invalid_request', message('model_labels_fixed', { model: name }));
    return runner.labels;
  }
}

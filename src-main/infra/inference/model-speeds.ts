import type { Log } from '../../core/ports/log.ts';
import type { ModelUsage } from '../local-jobs/child-protocol.ts';

/** After this many items, earlier measurements count half. */
const REMEMBERED_ITEMS = 2000;

/** Recent speeds of models, as reported by processes. */
export class ModelSpeeds {
  readonly #log: Log;
  readonly #sums = new Map<string, { items: number; ms: number; provider: string }>();

  constructor(log: Log) {
    this.#log = log;
  }

  /** @param requested The execution provider that was to be used. */
  add(usages: readonly ModelUsage[], requested: string): void {
    for (const { model_id, provider, items, ms } of usages) {
      const known = this.#sums.get(model_id);
      if (provider !== requested && known?.provider !== provider) {
        this.#log.warn({ model_id, provider, requested }, 'a model does not run on the chosen device');
      }
      const before = known?.provider === provider ? known : { items: 0, ms: 0 };
      const weight = before.items > REMEMBERED_ITEMS ? 0.5 : 1;
      this.#sums.set(model_id, { items: before.items * weight + items, ms: before.ms * weight + ms, provider });
    }
  }

  /** Items per second of one process, by model. */
  list(): Map<string, { items_per_s: number; provider: string }> {
    const speeds = new Map<string, { items_per_s: number; provider: string }>();
    for (const [modelId, { items, ms, provider }] of this.#sums) {
      if (ms > 0) speeds.set(modelId, { items_per_s: (items * 1000) / ms, provider });
    }
    return speeds;
  }
}

import { z } from 'zod';
import { AppError } from '../../contract/errors.ts';
import { type Message, message } from '../../contract/messages.ts';
import type { Log } from '../ports/log.ts';
import type { ImportResult, ModelStore } from '../ports/model-store.ts';
import { counted, sentences } from '../tasks/amount.ts';
import { defineTask, type TaskDefinition } from '../tasks/define-task.ts';
import type { TaskService } from '../tasks/task.service.ts';

export interface ModelImportsParts {
  store: Pick<ModelStore, 'importFrom'>;
  tasks: TaskService;
  log: Log;
}

const input = z.object({ path: z.string() });
type ImportInput = z.infer<typeof input>;

interface Waiting {
  /** Returns the reason why a package cannot be changed now; undefined if it can. */
  busy: (packageId: string) => Message | undefined;
  resolve: (result: ImportResult) => void;
  reject: (error: unknown) => void;
}

/** Imports models from a folder in a task, one import at a time. */
export class ModelImports {
  readonly task: TaskDefinition<ImportInput, never>;
  readonly #parts: ModelImportsParts;
  #waiting: Waiting | undefined;

  constructor(parts: ModelImportsParts) {
    this.#parts = parts;
    this.task = defineTask<ImportInput, never>({
      type: 'MODEL_IMPORT',
      input,
      lane: 'quick',
      exclusive: false,
      recovery: 'fail',
      run: async (task) => {
        const waiting = this.#waiting;
        try {
          task.beginStep(message('step_importing_models'), { from: 0, to: 0.99 }, null);
          const result = await parts.store.importFrom(task.input.path, (packageId) => waiting?.busy(packageId));
          task.commit(outcomeOf(result), () => undefined);
          parts.log.info({ n_imported: result.imported.length, n_refused: result.refused.length }, 'models imported');
          waiting?.resolve(result);
        } catch (error) {
          waiting?.reject(error);
          throw error;
        }
      },
      // A task that could not start has not rejected the promise itself.
      onFailure: (_datasetId, reason) => this.#waiting?.reject(new AppError('unavailable', reason)),
    });
  }

  get isRunning(): boolean {
    return this.#waiting !== undefined;
  }

  /**
   * Imports models. Resolves when the import is finished.
   * @throws AppError `conflict` while another import is running; the store's error for the path.
   */
  async run(path: string, busy: Waiting['busy'], createdBy: string): Promise<ImportResult> {
    if (this.#waiting) throw new AppError('conflict', message('other_import_running'));
    const { tasks } = this.#parts;
    try {
      return await new Promise<ImportResult>((resolve, reject) => {
        this.#waiting = { busy, resolve, reject };
        tasks.start(this.task, null, { path }, createdBy);
        tasks.wake();
      });
    } finally {
      this.#waiting = undefined;
    }
  }
}

function outcomeOf({ imported, refused }: ImportResult): Message {
  const models = message('task_models_imported', { models: counted('n_models', imported.length) });
  return sentences(models, refused.length > 0 && counted('models_left_out', refused.length));
}

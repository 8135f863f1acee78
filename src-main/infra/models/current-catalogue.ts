import { readFile } from 'node:fs/promises';
import { AppError } from '../../contract/errors.ts';
import { message } from '../../contract/messages.ts';
import { type ModelCatalogue, modelCatalogue } from '../../contract/schemas/model-definition.ts';
import type { Log } from '../../core/ports/log.ts';

/** The catalogue of models in use: the one that comes with the product, or another that the user set. */
export class CurrentCatalogue {
  readonly #ownFile: string;
  #catalogue: ModelCatalogue;

  private constructor(ownFile: string, catalogue: ModelCatalogue) {
    this.#ownFile = ownFile;
    this.#catalogue = catalogue;
  }

  /**
   * @param ownFile The product's catalogue, used when no other is configured or the configured one cannot be read.
   * @throws Error that describes the problem of the product's own catalogue, which is a bug of the product.
   */
  static async open(ownFile: string, named: string, log: Log): Promise<CurrentCatalogue> {
    try {
      return new CurrentCatalogue(ownFile, await readCatalogue(named || ownFile));
    } catch (error) {
      if (named === '') throw error;
      log.error({ err: error }, 'the catalogue of models that is set cannot be read; the one that comes along is used');
      return new CurrentCatalogue(ownFile, await readCatalogue(ownFile));
    }
  }

  get(): ModelCatalogue {
    return this.#catalogue;
  }

  /**
   * Reads another catalogue; an empty name means the product's own. @returns A function that activates it.
   * @throws AppError `invalid_request` when the catalogue cannot be read, without any of the file's content in the message.
   */
  async prepare(named: string): Promise<() => void> {
    const catalogue = await readCatalogue(named || this.#ownFile).catch(() => {
      throw new AppError('invalid_request', message('model_catalogue_missing'));
    });
    return () => {
      this.#catalogue = catalogue;
    };
  }
}

/** Reads and checks a catalogue. @throws Error that describes the problem. */
export async function readCatalogue(path: string): Promise<ModelCatalogue> {
  const catalogue = modelCatalogue.parse(JSON.parse(await readFile(path, 'utf8')));
  const packageIds = new Set(catalogue.packages.map((one) => one.id));
  const modelIds = new Set(catalogue.models.map((model) => model.id));
  if (packageIds.size !== catalogue.packages.length) throw new Error('the catalogue has a package twice');
  if (modelIds.size !== catalogue.models.length) throw new Error('the catalogue has a model twice');
  const orphan = catalogue.models.find((model) => !packageIds.has(model.package_id));
  if (orphan) throw new Error(`the catalogue has no package ${orphan.package_id} of ${orphan.id}`);
  return catalogue;
}

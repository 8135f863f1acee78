import { AppError } from '../../contract/errors.ts';
import { message } from '../../contract/messages.ts';
import type { PackageDefinition } from '../../contract/schemas/model-definition.ts';
import type { InstalledModel, KnownModel, ModelLibrary } from '../ports/model.ts';
import type { InstalledPackage, ModelStore } from '../ports/model-store.ts';

/** The methods of {@link ModelStore} that read packages. */
export type StoredModels = Pick<ModelStore, 'catalogue' | 'refOf' | 'fileOf' | 'scan' | 'readLabels'>;

/** The packages of the catalogue and of the user: which are installed, and the run parameters of their models. */
export class InstalledModels implements ModelLibrary {
  readonly #store: StoredModels;
  readonly #installed = new Map<string, InstalledPackage>();

  constructor(store: StoredModels) {
    this.#store = store;
  }

  /** Reads which packages are installed. */
  async open(): Promise<void> {
    for (const installed of await this.#store.scan()) this.add(installed);
  }

  add(installed: InstalledPackage): void {
    this.#installed.set(installed.package.id, installed);
  }

  forget(packageId: string): void {
    this.#installed.delete(packageId);
  }

  installed(packageId: string): InstalledPackage | undefined {
    return this.#installed.get(packageId);
  }

  async list(): Promise<KnownModel[]> {
    return this.packages().flatMap((definition) => this.modelsOf(definition));
  }

  async find(modelId: string): Promise<KnownModel | undefined> {
    return (await this.list()).find((model) => model.definition.id === modelId);
  }

  findTagger(encoderId: string): KnownModel | undefined {
    const packages = this.packages().map((definition) => this.modelsOf(definition));
    const beside = packages.find((ofPackage) => ofPackage.some(({ definition }) => definition.id === encoderId));
    return beside?.find(({ installed, definition }) => installed && definition.runner.kind === 'zero_shot');
  }

  async get(modelId: string): Promise<InstalledModel> {
    const known = await this.find(modelId);
    const installed = known && this.#installed.get(known.package.id);
    if (!installed)
      throw new AppError('invalid_request', message('model_missing', { model: known?.definition.name ?? modelId }));
    const { type, runner } = known.definition;
    const ref = this.#store.refOf(known.definition, installed);
    const labels = runner.kind === 'zero_shot' ? await this.#store.readLabels(modelId) : null;
    return { ref: labels ? { ...ref, labels } : ref, type, runner };
  }

  async embeddingsFile(modelId: string): Promise<string> {
    const { runner } = await this.get(modelId);
    const packageId = (await this.find(modelId))?.package.id;
    if (runner.kind !== 'precomputed' || packageId === undefined) throw new Error(`${modelId} has no embeddings`);
    return this.#store.fileOf(packageId, runner.file);
  }

  /** Lists the packages of the catalogue in its order, then the user's own by name. */
  packages(): PackageDefinition[] {
    const listed = this.#store.catalogue.packages;
    const ids = new Set(listed.map((one) => one.id));
    const others = [...this.#installed.values()].map((one) => one.package).filter((one) => !ids.has(one.id));
    return [...listed, ...others.sort((a, b) => a.name.localeCompare(b.name))];
  }

  /** @throws AppError `not_found`. */
  getPackage(packageId: string): PackageDefinition {
    const definition = this.packages().find((one) => one.id === packageId);
    if (!definition) throw new AppError('not_found', message('model_not_found'));
    return definition;
  }

  /** Returns the models of a package. Installed models use the run parameters of the current catalogue, unless it requires other files. */
  modelsOf(definition: PackageDefinition): KnownModel[] {
    const listed = this.#store.catalogue.models.filter((model) => model.package_id === definition.id);
    const installed = this.#installed.get(definition.id);
    const fits = (file: PackageDefinition['files'][number]) =>
      installed?.package.files.some((here) => here.path === file.path && here.sha256 === file.sha256) ?? true;
    const models = listed.length > 0 && definition.files.every(fits) ? listed : (installed?.models ?? []);
    const sizeBytes = installed?.size_bytes ?? statedBytes(definition);
    return models.map((model) => ({
      definition: model,
      package: definition,
      installed: installed !== undefined,
      can_download: canDownload(definition),
      size_bytes: sizeBytes,
    }));
  }
}

/** Returns the total size in bytes of the files whose size the catalogue states; null if it states none. */
export function statedBytes(definition: PackageDefinition): number | null {
  const sizes = definition.files.flatMap((file) => file.size_bytes ?? []);
  return sizes.length === 0 ? null : sizes.reduce((total, size) => total + size, 0);
}

/** Whether the catalogue has a URL for the files. */
export function canDownload({ source }: PackageDefinition): boolean {
  return source?.hub_repository !== undefined || source?.base_url !== undefined;
}

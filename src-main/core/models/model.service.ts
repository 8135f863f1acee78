import type { Input, Output } from '../../contract/contract.ts';
import { AppError } from '../../contract/errors.ts';
import { formatMessage, type Message, message } from '../../contract/messages.ts';
import type { ModelPackage } from '../../contract/schemas/model.ts';
import type { PackageDefinition } from '../../contract/schemas/model-definition.ts';
import type { CallContext } from '../core.ts';
import type { SomeHandlers } from '../handlers.ts';
import type { Inference } from '../ports/inference.ts';
import type { ModelStore } from '../ports/model-store.ts';
import { canDownload, type InstalledModels, statedBytes } from './installed-models.ts';
import type { ModelDownloads } from './model-downloads.ts';
import type { ModelImports } from './model-imports.ts';
import type { ModelSettingsService } from './model-settings.service.ts';

export interface ModelServiceParts {
  library: InstalledModels;
  store: ModelStore;
  downloads: ModelDownloads;
  imports: ModelImports;
  settings: ModelSettingsService;
  /** Remembers that the recommended package is not to be installed without a request. */
  declineRecommended: () => void;
  inference: Pick<Inference, 'checkDevices' | 'modelSpeeds' | 'forgetModels'>;
  /** Whether a running task uses one of the models. */
  isInUse: (modelIds: readonly string[]) => boolean;
}

/** Lists, downloads, imports and removes packages of models. */
export class ModelService {
  readonly #parts: ModelServiceParts;

  /** The operations that this service handles. */
  readonly handlers = {
    list_packages: (context) => this.listPackages(context),
    list_devices: (context) => this.listDevices(context),
    import_models: (context, input) => this.importModels(context, input),
    download_package: (context, input) => this.downloadPackage(context, input),
    cancel_download: (context, input) => this.cancelDownload(context, input),
    remove_package: (context, input) => this.removePackage(context, input),
  } satisfies SomeHandlers;

  constructor(parts: ModelServiceParts) {
    this.#parts = parts;
  }

  async listPackages(_context: CallContext): Promise<Output<'list_packages'>> {
    const packages = this.#parts.library.packages();
    return { packages: await Promise.all(packages.map((definition) => this.#describe(definition))) };
  }

  async listDevices(_context: CallContext): Promise<Output<'list_devices'>> {
    const checks = await this.#parts.inference.checkDevices();
    const devices = checks.map((check) => ({ ...check, reason: check.problem && formatMessage(check.problem) }));
    return { devices, used: devices.find((device) => device.works)?.provider ?? 'cpu' };
  }

  async importModels(context: CallContext, { path }: Input<'import_models'>): Promise<Output<'import_models'>> {
    const { library, downloads, imports } = this.#parts;
    try {
      const busy = (packageId: string) => this.#whyBusy(packageId);
      const { imported, refused } = await imports.run(path, busy, context.principal.email);
      for (const installed of imported) {
        library.add(installed);
        downloads.forgetFailure(installed.package.id);
      }
      return {
        imported: await Promise.all(imported.map((one) => this.#describe(one.package))),
        refused: refused.map((one) => ({ ...one, reason: formatMessage(one.problem) })),
      };
    } finally {
      downloads.announce();
    }
  }

  downloadPackage({ principal }: CallContext, { package_id }: Input<'download_package'>): Promise<ModelPackage> {
    return this.#startDownload(package_id, principal.email);
  }

  /** Starts a download unless it is running. @throws AppError as {@link downloadPackage}. */
  async ensureDownload(packageId: string, createdBy: string): Promise<void> {
    if (!this.#parts.downloads.progressOf(packageId)) await this.#startDownload(packageId, createdBy);
  }

  /** @throws AppError `not_found`. */
  describe(packageId: string): Promise<ModelPackage> {
    return this.#describe(this.#parts.library.getPackage(packageId));
  }

  /** Notifies listeners that models have changed. */
  announce(): void {
    this.#parts.downloads.announce();
  }

  async #startDownload(packageId: string, createdBy: string): Promise<ModelPackage> {
    const { library, store, downloads, imports, settings } = this.#parts;
    const definition = library.getPackage(packageId);
    if (library.installed(packageId))
      throw new AppError('conflict', message('model_installed_already', { model: definition.name }));
    if (imports.isRunning) throw new AppError('conflict', message('import_running'));
    const isBundled = await store.isBundled(definition);
    if (!canDownload(definition) && !isBundled) {
      throw new AppError('invalid_request', message('model_not_downloadable', { model: definition.name }));
    }
    const { never_download, hub_url, mirrors, mirror_url } = settings.current();
    if (never_download && !isBundled) {
      throw new AppError('forbidden', message('downloads_off'));
    }
    const sources = { mirror: mirror_url || null, hubs: [hub_url, ...mirrors] };
    await downloads.begin(definition, sources, createdBy);
    return this.#describe(definition);
  }

  async cancelDownload(_context: CallContext, { package_id }: Input<'cancel_download'>): Promise<ModelPackage> {
    const definition = this.#parts.library.getPackage(package_id);
    await this.#parts.downloads.cancel(definition);
    if (definition.recommended) this.#parts.declineRecommended();
    return this.#describe(definition);
  }

  async removePackage(
    _context: CallContext,
    { package_id }: Input<'remove_package'>,
  ): Promise<Output<'remove_package'>> {
    const { library, store, downloads, inference } = this.#parts;
    const definition = library.getPackage(package_id);
    const why = this.#whyBusy(package_id);
    if (why !== undefined) throw new AppError('conflict', why);
    const known = library.modelsOf(definition);
    await store.remove(package_id);
    inference.forgetModels();
    library.forget(package_id);
    if (definition.recommended) this.#parts.declineRecommended();
    downloads.forgetFailure(package_id);
    // Label lists of models in the catalogue are not deleted, because the models can be installed again.
    if (!store.catalogue.packages.some((one) => one.id === package_id)) {
      for (const { definition: model } of known) await store.saveLabels(model.id, null);
    }
    downloads.announce();
    return { removed: true, package_id };
  }

  async #describe(definition: PackageDefinition): Promise<ModelPackage> {
    const { id } = definition;
    const { library, store, downloads, inference } = this.#parts;
    const installed = library.installed(id);
    const progress = downloads.progressOf(id);
    const failure = downloads.failureOf(id);
    const speeds = inference.modelSpeeds();
    return {
      package_id: id,
      name: definition.name,
      vendor: definition.vendor,
      licence: definition.licence,
      licence_url: definition.licence_url ?? null,
      page_url: definition.source?.page_url ?? null,
      origin: installed?.origin ?? 'catalogue',
      state: progress ? 'downloading' : installed ? 'installed' : failure !== null ? 'failed' : 'not_installed',
      can_download: canDownload(definition),
      recommended: definition.recommended ?? false,
      bundled: await store.isBundled(definition),
      size_bytes: installed?.size_bytes ?? progress?.totalBytes ?? statedBytes(definition),
      received_bytes: installed ? 0 : (progress?.receivedBytes ?? (await store.receivedBytes(id))),
      bytes_per_s: progress?.bytesPerSecond ?? null,
      failure_reason: failure && formatMessage(failure),
      failure,
      installed_at: installed?.installed_at ?? null,
      models: library.modelsOf(definition).map(({ definition: model }) => ({
        id: model.id,
        name: model.name,
        type: model.type,
        status: model.status,
        description: model.description,
        memory_bytes: model.memory_bytes ?? null,
        labels_editable: model.runner.kind === 'zero_shot',
        device: speeds.get(model.id)?.provider ?? null,
        items_per_s: speeds.get(model.id)?.items_per_s ?? null,
      })),
    };
  }

  #whyBusy(packageId: string): Message | undefined {
    const { library, downloads, isInUse } = this.#parts;
    if (downloads.progressOf(packageId)) return message('model_is_downloading');
    const models = library.installed(packageId)?.models ?? [];
    if (isInUse(models.map(({ id }) => id))) return message('model_is_in_use');
    return undefined;
  }
}

import type { Input, Output } from '../../contract/contract.ts';
import { AppError } from '../../contract/errors.ts';
import type { ModelPackage, ModelSettings } from '../../contract/schemas/model.ts';
import type { PackageDefinition } from '../../contract/schemas/model-definition.ts';
import type { CallContext } from '../core.ts';
import type { EventBus } from '../events.ts';
import type { ComputePool } from '../ports/compute.ts';
import type { Log } from '../ports/log.ts';
import type { KnownModel, ModelLibrary, ModelSpec } from '../ports/model.ts';
import type { InstalledPackage, ModelStore } from '../ports/model-store.ts';
import type { SettingsService } from '../settings/settings.service.ts';
import { DownloadProgress } from './download-progress.ts';

export interface ModelServiceParts {
  store: ModelStore;
  settings: SettingsService;
  compute: Pick<ComputePool, 'checkDevices' | 'modelSpeeds' | 'forgetModels'>;
  events: EventBus;
  log: Log;
  /** Whether a task works with one of the models now. */
  isInUse: (modelIds: readonly string[]) => boolean;
}

interface Download {
  stop: AbortController;
  progress: DownloadProgress;
  /** Settles when nothing of the package is touched any more. */
  ended: Promise<void>;
}

/** Longest silence between two events while something is fetched. */
const EVENT_INTERVAL_MS = 250;

/** The models of the catalogue and of the person: which are here, getting them, and what they are to compute processes. */
export class ModelService implements ModelLibrary {
  readonly #store: ModelStore;
  readonly #settings: SettingsService;
  readonly #compute: ModelServiceParts['compute'];
  readonly #events: EventBus;
  readonly #log: Log;
  readonly #isInUse: ModelServiceParts['isInUse'];
  readonly #installed = new Map<string, InstalledPackage>();
  readonly #downloads = new Map<string, Download>();
  /** Why the last download of a package failed. */
  readonly #failures = new Map<string, string>();
  #importRuns = false;
  #lastEventMs = 0;

  constructor(parts: ModelServiceParts) {
    this.#store = parts.store;
    this.#settings = parts.settings;
    this.#compute = parts.compute;
    this.#events = parts.events;
    this.#log = parts.log;
    this.#isInUse = parts.isInUse;
  }

  /** Looks at what is installed. */
  async open(): Promise<void> {
    for (const installed of await this.#store.scan()) this.#installed.set(installed.package.id, installed);
  }

  /** Stops what is fetched; it goes on when it is asked for again. */
  async close(): Promise<void> {
    for (const { stop } of this.#downloads.values()) stop.abort();
    await Promise.all([...this.#downloads.values()].map(({ ended }) => ended));
    this.#store.close();
  }

  async list(): Promise<KnownModel[]> {
    return this.#packages().flatMap((definition) => this.#modelsOf(definition));
  }

  async find(modelId: string): Promise<KnownModel | undefined> {
    return (await this.list()).find((model) => model.definition.id === modelId);
  }

  async specOf(modelId: string): Promise<ModelSpec> {
    const known = await this.find(modelId);
    if (!known?.installed)
      throw new AppError('invalid_request', `The model ${known?.definition.name ?? modelId} is not installed`);
    const { type, runner } = known.definition;
    const folder = this.#store.folderOf(known.package.id);
    if (runner.kind !== 'zero_shot') return { model_id: modelId, type, folder, runner };
    const labels = (await this.#store.readLabels(modelId)) ?? runner.labels;
    return { model_id: modelId, type, folder, runner: { ...runner, labels } };
  }

  async listPackages(_context: CallContext): Promise<Output<'list_packages'>> {
    return { packages: await Promise.all(this.#packages().map((definition) => this.#describe(definition))) };
  }

  async listDevices(_context: CallContext): Promise<Output<'list_devices'>> {
    const devices = await this.#compute.checkDevices();
    return { devices, used: devices.find((device) => device.works)?.provider ?? 'cpu' };
  }

  getSettings(_context: CallContext): ModelSettings {
    return {
      hub_url: this.#settings.get('MODELS_HUB_URL'),
      mirrors: this.#settings
        .get('MODELS_MIRRORS')
        .split(/[\s,]+/)
        .filter((mirror) => mirror !== ''),
      never_download: this.#settings.isOn('MODELS_NEVER_DOWNLOAD'),
    };
  }

  updateSettings(context: CallContext, input: Input<'update_model_settings'>): ModelSettings {
    const hubUrl = input.hub_url === undefined ? undefined : hubAddress(input.hub_url);
    const mirrors = input.mirrors?.map(hubAddress);
    if (hubUrl !== undefined) this.#settings.set('MODELS_HUB_URL', hubUrl);
    if (mirrors) this.#settings.set('MODELS_MIRRORS', mirrors.join(' '));
    if (input.never_download !== undefined) this.#settings.set('MODELS_NEVER_DOWNLOAD', String(input.never_download));
    return this.getSettings(context);
  }

  async importModels(_context: CallContext, { path }: Input<'import_models'>): Promise<Output<'import_models'>> {
    if (this.#importRuns) throw new AppError('conflict', 'Another import is running; wait until it is done');
    this.#importRuns = true;
    try {
      const { imported, refused } = await this.#store.importFrom(path, (packageId) => this.#whyBusy(packageId));
      for (const installed of imported) {
        this.#installed.set(installed.package.id, installed);
        this.#failures.delete(installed.package.id);
      }
      this.#log.info({ imported: imported.map((one) => one.package.id), n_refused: refused.length }, 'models imported');
      return { imported: await Promise.all(imported.map((one) => this.#describe(one.package))), refused };
    } finally {
      this.#importRuns = false;
      this.#tell();
    }
  }

  async downloadPackage(context: CallContext, { package_id }: Input<'download_package'>): Promise<ModelPackage> {
    const definition = this.#packageOf(package_id);
    if (this.#installed.has(package_id)) throw new AppError('conflict', `${definition.name} is installed already`);
    if (this.#downloads.has(package_id)) throw new AppError('conflict', `${definition.name} is being fetched already`);
    if (this.#importRuns) throw new AppError('conflict', 'An import is running; wait until it is done');
    if (!canDownload(definition)) {
      throw new AppError('invalid_request', `${definition.name} cannot be fetched; import it from a folder`);
    }
    const { never_download, hub_url, mirrors } = this.getSettings(context);
    if (never_download) {
      throw new AppError(
        'forbidden',
        'Downloads are switched off in the settings. Models can be imported from a folder.',
      );
    }
    const progress = new DownloadProgress(await this.#store.receivedBytes(package_id));
    await this.#store.ensureRoom(definition);
    if (this.#downloads.has(package_id)) throw new AppError('conflict', `${definition.name} is being fetched already`);
    const stop = new AbortController();
    this.#failures.delete(package_id);
    const ended = this.#download(definition, [hub_url, ...mirrors], stop.signal, progress);
    this.#downloads.set(package_id, { stop, progress, ended });
    this.#tell();
    return this.#describe(definition);
  }

  async cancelDownload(_context: CallContext, { package_id }: Input<'cancel_download'>): Promise<ModelPackage> {
    const definition = this.#packageOf(package_id);
    const download = this.#downloads.get(package_id);
    if (!download) throw new AppError('conflict', `${definition.name} is not being fetched`);
    download.stop.abort();
    await download.ended;
    return this.#describe(definition);
  }

  async removePackage(
    _context: CallContext,
    { package_id }: Input<'remove_package'>,
  ): Promise<Output<'remove_package'>> {
    const definition = this.#packageOf(package_id);
    const why = this.#whyBusy(package_id);
    if (why !== undefined) throw new AppError('conflict', why);
    const known = this.#modelsOf(definition);
    await this.#store.remove(package_id);
    this.#compute.forgetModels();
    this.#installed.delete(package_id);
    this.#failures.delete(package_id);
    // Labels of a model that can come back are kept; those of a model that is gone are not.
    if (!this.#store.catalogue.packages.some((one) => one.id === package_id)) {
      for (const { definition: model } of known) await this.#store.saveLabels(model.id, null);
    }
    this.#tell();
    return { removed: true, package_id };
  }

  async getLabels(_context: CallContext, { model_id }: Input<'get_model_labels'>): Promise<Output<'get_model_labels'>> {
    const first = await this.#firstLabels(model_id);
    const own = await this.#store.readLabels(model_id);
    return { labels: own ?? first, is_default: own === null };
  }

  /** Blank and repeated labels are left out. */
  async setLabels(
    context: CallContext,
    { model_id, labels }: Input<'set_model_labels'>,
  ): Promise<Output<'set_model_labels'>> {
    await this.#firstLabels(model_id);
    const distinct = labels && [...new Set(labels)];
    if (distinct && distinct.length < 2) throw new AppError('invalid_request', 'The list needs at least two labels');
    await this.#store.saveLabels(model_id, distinct);
    this.#tell();
    return this.getLabels(context, { model_id });
  }

  async #firstLabels(modelId: string): Promise<string[]> {
    const known = await this.find(modelId);
    if (!known) throw new AppError('not_found', 'There is no such model');
    const { runner, name } = known.definition;
    if (runner.kind !== 'zero_shot') throw new AppError('invalid_request', `${name} has a fixed list of labels`);
    return runner.labels;
  }

  async #download(
    definition: PackageDefinition,
    hubs: string[],
    signal: AbortSignal,
    progress: DownloadProgress,
  ): Promise<void> {
    const { id } = definition;
    try {
      const installed = await this.#store.download(definition, {
        hubs,
        signal,
        onProgress: (received, total) => {
          progress.add(received, total, Date.now());
          this.#tellSometimes();
        },
      });
      this.#installed.set(id, installed);
      this.#log.info({ package_id: id, size_bytes: installed.size_bytes }, 'model fetched');
    } catch (error) {
      if (!signal.aborted) {
        const isKnown = error instanceof AppError;
        this.#log.warn({ package_id: id, err: error }, 'model could not be fetched');
        this.#failures.set(
          id,
          isKnown ? error.message : 'Something went wrong inside Vitrine. The log has the details.',
        );
      }
    } finally {
      this.#downloads.delete(id);
      this.#tell();
    }
  }

  /** Of the catalogue first, in its order, then the person's own by name. */
  #packages(): PackageDefinition[] {
    const listed = this.#store.catalogue.packages;
    const ids = new Set(listed.map((one) => one.id));
    const others = [...this.#installed.values()].map((one) => one.package).filter((one) => !ids.has(one.id));
    return [...listed, ...others.sort((a, b) => a.name.localeCompare(b.name))];
  }

  #packageOf(packageId: string): PackageDefinition {
    const definition = this.#packages().find((one) => one.id === packageId);
    if (!definition) throw new AppError('not_found', 'There is no such model');
    return definition;
  }

  /** What is here is run as the catalogue says now, unless a later catalogue asks for other files. */
  #modelsOf(definition: PackageDefinition): KnownModel[] {
    const listed = this.#store.catalogue.models.filter((model) => model.package_id === definition.id);
    const installed = this.#installed.get(definition.id);
    const fits = (file: PackageDefinition['files'][number]) =>
      installed?.package.files.some((here) => here.path === file.path && here.sha256 === file.sha256) ?? true;
    const models = listed.length > 0 && definition.files.every(fits) ? listed : (installed?.models ?? []);
    return models.map((model) => ({ definition: model, package: definition, installed: installed !== undefined }));
  }

  async #describe(definition: PackageDefinition): Promise<ModelPackage> {
    const { id } = definition;
    const installed = this.#installed.get(id);
    const progress = this.#downloads.get(id)?.progress;
    const error = this.#failures.get(id) ?? null;
    const speeds = this.#compute.modelSpeeds();
    return {
      package_id: id,
      name: definition.name,
      vendor: definition.vendor,
      licence: definition.licence,
      licence_url: definition.licence_url ?? null,
      page_url: definition.source?.page_url ?? null,
      origin: installed?.origin ?? 'catalogue',
      state: progress ? 'downloading' : installed ? 'installed' : error !== null ? 'failed' : 'not_installed',
      can_download: canDownload(definition),
      size_bytes: installed?.size_bytes ?? progress?.totalBytes ?? statedBytes(definition),
      received_bytes: installed ? 0 : (progress?.receivedBytes ?? (await this.#store.receivedBytes(id))),
      bytes_per_s: progress?.bytesPerSecond(Date.now()) ?? null,
      error,
      installed_at: installed?.installed_at ?? null,
      models: this.#modelsOf(definition).map(({ definition: model }) => ({
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

  #whyBusy(packageId: string): string | undefined {
    if (this.#downloads.has(packageId)) return 'The model is being fetched; stop that first';
    const models = this.#installed.get(packageId)?.models ?? [];
    if (this.#isInUse(models.map(({ id }) => id)))
      return 'A task works with this model; wait until it is done, or stop it';
    return undefined;
  }

  #tell(): void {
    this.#lastEventMs = Date.now();
    this.#events.emit('models_changed', { downloading: [...this.#downloads.keys()] });
  }

  #tellSometimes(): void {
    if (Date.now() - this.#lastEventMs >= EVENT_INTERVAL_MS) this.#tell();
  }
}

/** Of the files whose size the catalogue states; null when it states none. */
function statedBytes(definition: PackageDefinition): number | null {
  const sizes = definition.files.flatMap((file) => file.size_bytes ?? []);
  return sizes.length === 0 ? null : sizes.reduce((total, size) => total + size, 0);
}

/** Whether an address of its files is known. */
function canDownload({ source }: PackageDefinition): boolean {
  return source?.hub_repository !== undefined || source?.base_url !== undefined;
}

/** @throws AppError `invalid_request`. */
function hubAddress(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:') {
    throw new AppError('invalid_request', 'The address of a hub must start with https:// or http://');
  }
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    throw new AppError('invalid_request', 'The address of a hub must have no user name, query or fragment');
  }
  return url.href.replace(/\/+$/, '');
}

import type { Input } from '../../contract/contract.ts';
import { AppError } from '../../contract/errors.ts';
import { message } from '../../contract/messages.ts';
import type { ModelSettings } from '../../contract/schemas/model.ts';
import type { CallContext } from '../core.ts';
import type { SomeHandlers } from '../handlers.ts';
import type { SettingsService } from '../settings/settings.service.ts';

/** Settings for model downloads: hub URLs, and whether downloads are allowed. */
export class ModelSettingsService {
  readonly #settings: SettingsService;

  /** The operations that this service handles. */
  readonly handlers = {
    get_model_settings: (context) => this.get(context),
    update_model_settings: (context, input) => this.update(context, input),
  } satisfies SomeHandlers;

  constructor(settings: SettingsService) {
    this.#settings = settings;
  }

  get(_context: CallContext): ModelSettings {
    return this.current();
  }

  current(): ModelSettings {
    return {
      hub_url: this.#settings.get('MODELS_HUB_URL'),
      mirror_url: this.#settings.get('MODELS_URL'),
      mirrors: this.#settings.modelMirrors(),
      never_download: this.#settings.isOn('MODELS_NEVER_DOWNLOAD'),
    };
  }

  update(context: CallContext, input: Input<'update_model_settings'>): ModelSettings {
    const hubUrl = input.hub_url === undefined ? undefined : hubAddress(input.hub_url);
    const mirrorUrl =
      input.mirror_url === undefined || input.mirror_url === '' ? input.mirror_url : hubAddress(input.mirror_url);
    const mirrors = input.mirrors?.map(hubAddress);
    if (hubUrl !== undefined) this.#settings.set('MODELS_HUB_URL', hubUrl);
    if (mirrorUrl !== undefined) this.#settings.set('MODELS_URL', mirrorUrl);
    if (mirrors) this.#settings.set('MODELS_MIRRORS', mirrors.join(' '));
    if (input.never_download !== undefined) this.#settings.set('MODELS_NEVER_DOWNLOAD', String(input.never_download));
    return this.get(context);
  }
}

/** Validates a hub URL. @throws AppError `invalid_request`. */
function hubAddress(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:') {
    throw new AppError('invalid_request', message('hub_address_not_http'));
  }
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    throw new AppError('invalid_request', message('hub_address_not_plain'));
  }
  return url.href.replace(/\/+$/, '');
}

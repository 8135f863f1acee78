import type { Input } from '../../contract/contract.ts';
import { AppError } from '../../contract/errors.ts';
import { message } from '../../contract/messages.ts';
import type { Setting } from '../../contract/schemas/setting.ts';
import type { AuditService } from '../accounts/audit.service.ts';
import type { CallContext } from '../core.ts';
import type { SomeHandlers } from '../handlers.ts';
import type { OpenedFolders } from '../ports/opened-folders.ts';
import { readSettingValue } from './read-setting-value.ts';
import {
  isSecret,
  isSettingName,
  SETTING_NAMES,
  SETTINGS,
  type SettingDeclaration,
  type SettingName,
} from './setting-declarations.ts';
import type { SettingsService } from './settings.service.ts';

/**
 * Prepares the use of a new value.
 * @throws AppError if the value cannot be used.
 * @returns Function that applies the value once the setting is stored.
 */
export type Preparation = (value: string) => Promise<() => void>;

export interface SettingsAdminParts {
  settings: SettingsService;
  onPrem: boolean;
  opened: OpenedFolders;
  audit: AuditService;
  /** Settings whose value needs preparation, such as the path of a file to load. */
  preparations: Partial<Record<SettingName, Preparation>>;
}

/** Settings as users see and change them: interface section 4.15, and Vitrine's own. */
export class SettingsAdminService {
  readonly #parts: SettingsAdminParts;

  /** The operations that this service handles. */
  readonly handlers = {
    get_setting: (context, input) => this.getSetting(context, input),
    set_setting: (context, input) => this.setSetting(context, input),
    list_settings: (context) => this.list(context),
    change_setting: (context, input) => this.change(context, input),
    reset_setting: (context, input) => this.reset(context, input),
  } satisfies SomeHandlers;

  constructor(parts: SettingsAdminParts) {
    this.#parts = parts;
  }

  /** Interface section 4.15. @throws AppError `forbidden` unless self-hosted, `invalid_request` for an unknown name. */
  getSetting(_context: CallContext, { key }: Input<'get_setting'>): { value: string } {
    this.#assertOnPrem();
    const name = settingNamed(key);
    return { value: shown(name, this.#parts.settings.get(name)) };
  }

  async setSetting(context: CallContext, input: Input<'set_setting'>): Promise<{ value: string }> {
    this.#assertOnPrem();
    const { value } = await this.change(context, input);
    return { value };
  }

  list(_context: CallContext): { settings: Setting[] } {
    return { settings: SETTING_NAMES.map((name) => this.#present(name)) };
  }

  async change(context: CallContext, { key, value }: { key: string; value?: unknown }): Promise<Setting> {
    const name = settingNamed(key);
    const requested = readSettingValue(name, value);
    if (isPath(name) && requested !== '') await this.#parts.opened.resolve(requested);
    const use = await this.#prepare(name, requested);
    const { settings, audit } = this.#parts;
    settings.set(name, requested, () =>
      audit.note(context, 'setting_changed', name, { value: shown(name, requested) }),
    );
    use();
    return this.#present(name);
  }

  async reset(context: CallContext, { key }: Input<'reset_setting'>): Promise<Setting> {
    const { settings, audit } = this.#parts;
    const name = settingNamed(key);
    const value = settings.initial(name);
    const use = await this.#prepare(name, value);
    settings.reset(name, () => audit.note(context, 'setting_changed', name, { value: shown(name, value) }));
    use();
    return this.#present(name);
  }

  async #prepare(name: SettingName, value: string): Promise<() => void> {
    const prepare = this.#parts.preparations[name];
    return prepare ? prepare(value) : () => undefined;
  }

  #assertOnPrem(): void {
    if (this.#parts.onPrem) return;
    throw new AppError('forbidden', message('settings_not_served'));
  }

  #present(name: SettingName): Setting {
    const { settings } = this.#parts;
    const declaration: SettingDeclaration = SETTINGS[name];
    const { type, group, description } = declaration;
    return {
      ...{ name, type, group, description },
      ...(type === 'choice' && { choices: [...declaration.choices] }),
      ...(type === 'number' && { minimum: declaration.minimum, maximum: declaration.maximum }),
      ...(type === 'text' && declaration.form === 'paths' && { multi_line: true as const }),
      ...(isSecret(name) && { is_secret: true as const }),
      value: shown(name, settings.get(name)),
      default: shown(name, settings.initial(name)),
      is_overridden: settings.isOverridden(name),
    };
  }
}

/** The value as it is shown and recorded: that of a secret only says whether there is one. */
function shown(name: SettingName, value: string): string {
  return isSecret(name) && value !== '' ? '********' : value;
}

function isPath(name: SettingName): boolean {
  const declaration: SettingDeclaration = SETTINGS[name];
  return declaration.type === 'text' && declaration.form === 'path';
}

/**
 * Finds a setting; names may also have hyphens.
 * @param key As the interface spells it, or as clients of the original service do: `VL_CHAT_ENABLED` is `SVC_CHAT_ENABLED`.
 */
function settingNamed(key: string): SettingName {
  const name = key.replaceAll('-', '_').replace(/^VL_/, 'SVC_');
  if (!isSettingName(name)) throw new AppError('invalid_request', message('setting_unknown', { key }));
  return name;
}

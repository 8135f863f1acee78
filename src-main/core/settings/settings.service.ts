import { FEATURE_FLAGS, type FeatureFlag } from '../../contract/permissions.ts';
import type { Catalog } from '../ports/catalog.ts';
import type { EngineConnection } from '../ports/external-engine.ts';
import type { IssueLimits } from '../ports/issue-limits.ts';
import type { Log, LogLevel } from '../ports/log.ts';
import type { SecretBox } from '../ports/secret-box.ts';
import { linesOf, listOf, readSettingValue } from './read-setting-value.ts';
import { isSecret, isSettingName, SETTING_NAMES, SETTINGS, type SettingName } from './setting-declarations.ts';

export interface SettingsParts {
  catalog: Catalog;
  environment: Readonly<Record<string, string | undefined>>;
  /** Encrypts the values of secret settings in the catalog. */
  box: SecretBox;
  log: Log;
}

type Values = Readonly<Record<SettingName, string>>;
type NumberName = {
  [Name in SettingName]: (typeof SETTINGS)[Name]['type'] extends 'number' ? Name : never;
}[SettingName];
type FlagName = {
  [Name in SettingName]: (typeof SETTINGS)[Name]['type'] extends 'boolean' ? Name : never;
}[SettingName];

/**
 * Runtime settings: an override from the catalog, else one from the environment (`VITRINE_<NAME>`), else the default. Values are cached in
 * memory and read on every use, so that a change takes effect immediately.
 */
export class SettingsService {
  readonly #catalog: Catalog;
  readonly #box: SecretBox;
  /** Values without overrides. */
  readonly #initial: Values;
  readonly #overrides = new Map<SettingName, string>();
  readonly #listeners: ((name: SettingName) => void)[] = [];

  constructor({ catalog, environment, box, log }: SettingsParts) {
    this.#catalog = catalog;
    this.#box = box;
    this.#initial = initialValues(environment, log);
    const rows = catalog.all<{ key: string; value: string }>('SELECT key, value FROM setting');
    for (const { key, value } of rows) {
      if (!isSettingName(key)) continue;
      const stored = isSecret(key) ? box.open(value) : value;
      const read = stored === undefined ? undefined : readable(key, stored);
      if (read === undefined) log.warn({ setting: key }, 'the stored value of a setting is invalid and is ignored');
      else this.#overrides.set(key, read);
    }
  }

  get(name: SettingName): string {
    return this.#overrides.get(name) ?? this.#initial[name];
  }

  /** Value without an override. */
  initial(name: SettingName): string {
    return this.#initial[name];
  }

  isOverridden(name: SettingName): boolean {
    return this.#overrides.has(name);
  }

  /**
   * Overrides a setting.
   * @param also Runs in the same transaction.
   * @throws AppError `invalid_input` for a value that the setting does not allow.
   */
  set(name: SettingName, requested: unknown, also: () => void = () => undefined): void {
    const value = readSettingValue(name, requested);
    this.#catalog.transaction(() => {
      this.#catalog.run(
        'INSERT INTO setting VALUES (:name, :value) ON CONFLICT (key) DO UPDATE SET value = excluded.value',
        { name, value: isSecret(name) ? this.#box.seal(value) : value },
      );
      also();
    });
    this.#overrides.set(name, value);
    this.#announce(name);
  }

  /** Removes an override: the value from the environment, or the default, applies again. */
  reset(name: SettingName, also: () => void): void {
    this.#catalog.transaction(() => {
      this.#catalog.run('DELETE FROM setting WHERE key = :name', { name });
      also();
    });
    this.#overrides.delete(name);
    this.#announce(name);
  }

  /** Calls the listener after each change. */
  onChange(listener: (name: SettingName) => void): void {
    this.#listeners.push(listener);
  }

  isOn(name: FlagName): boolean {
    return this.get(name) === 'true';
  }

  features(): Record<FeatureFlag, boolean> {
    return Object.fromEntries(FEATURE_FLAGS.map((name) => [name, this.isOn(name)])) as Record<FeatureFlag, boolean>;
  }

  number(name: NumberName): number {
    return Number(this.get(name));
  }

  /** The setting's number, or the given one if the setting is empty. */
  numberOr(name: NumberName, otherwise: number): number {
    return this.get(name) === '' ? otherwise : this.number(name);
  }

  objectStorage(): { endpoint?: string; region?: string; pathStyle?: boolean } {
    const endpoint = this.get('S3_ENDPOINT');
    const region = this.get('S3_REGION');
    const pathStyle = this.get('S3_PATH_STYLE');
    return {
      ...(endpoint === '' ? {} : { endpoint }),
      ...(region === '' ? {} : { region }),
      ...(pathStyle === '' ? {} : { pathStyle: pathStyle === 'true' }),
    };
  }

  archiveLimits<Limits extends Record<`max_${'entries' | 'total_bytes' | 'entry_bytes' | 'ratio' | 'depth'}`, number>>(
    defaults: Limits,
  ): Limits {
    return {
      ...defaults,
      max_entries: this.numberOr('ARCHIVE_MAX_ENTRIES', defaults.max_entries),
      max_total_bytes: this.numberOr('ARCHIVE_MAX_TOTAL_BYTES', defaults.max_total_bytes),
      max_entry_bytes: this.numberOr('ARCHIVE_MAX_ENTRY_BYTES', defaults.max_entry_bytes),
      max_ratio: this.numberOr('ARCHIVE_MAX_RATIO', defaults.max_ratio),
      max_depth: this.numberOr('ARCHIVE_MAX_DEPTH', defaults.max_depth),
    };
  }

  issueLimits(): IssueLimits {
    return {
      blur: this.number('ISSUE_BLUR'),
      dark: this.number('ISSUE_DARK'),
      bright: this.number('ISSUE_BRIGHT'),
      low_information: this.number('ISSUE_LOW_INFORMATION'),
      odd_aspect_ratio: this.number('ISSUE_ODD_ASPECT_RATIO'),
      odd_size: this.number('ISSUE_ODD_SIZE'),
      duplicates: this.number('ISSUE_DUPLICATES'),
      outliers: this.number('ISSUE_OUTLIERS'),
    };
  }

  exports(): { items: number; images: number; days: number; most: number } {
    return {
      items: this.number('EXPORT_MAX_ITEMS'),
      images: this.number('EXPORT_MAX_IMAGES'),
      days: this.number('EXPORT_DAYS'),
      most: this.number('EXPORT_MOST'),
    };
  }

  video(resourcesFolder: string) {
    return {
      ffmpeg: this.get('FFMPEG_PATH') || undefined,
      bundled_folder: `${resourcesFolder}/bin`,
      frames_per_second: this.number('VIDEO_FRAMES_PER_SECOND'),
      max_frames: this.number('VIDEO_MAX_FRAMES'),
    };
  }

  /** The external vector engine; undefined if none is configured. */
  engineConnection(): EngineConnection | undefined {
    const url = this.get('VECTOR_ENGINE_URL');
    if (url === '') return undefined;
    return { kind: url.startsWith('http') ? 'qdrant' : 'pgvector', url, key: this.get('VECTOR_ENGINE_KEY') };
  }

  inferenceHosts(): { addresses: readonly string[]; secret: string } {
    return { addresses: listOf(this.get('INFERENCE_HOSTS')), secret: this.get('INFERENCE_SECRET') };
  }

  logLevel(): LogLevel {
    return this.get('LOG_LEVEL') as LogLevel;
  }

  /** Local folders that users may enter as paths; null: all. */
  openedFolders(isShared: boolean): readonly string[] | null {
    const opened = linesOf(this.get('OPENED_FOLDERS'));
    return opened.length > 0 || isShared ? opened : null;
  }

  allowedOrigins(): readonly string[] {
    return listOf(this.get('ALLOWED_ORIGINS'));
  }

  embedOrigins(): readonly string[] {
    return listOf(this.get('EMBED_ORIGINS'));
  }

  modelMirrors(): string[] {
    return listOf(this.get('MODELS_MIRRORS'));
  }

  #announce(name: SettingName): void {
    for (const listener of this.#listeners) listener(name);
  }
}

function initialValues(environment: SettingsParts['environment'], log: Log): Values {
  const initial = SETTING_NAMES.map((name) => {
    const given = environment[`VITRINE_${name}`] || undefined;
    const value = given && readable(name, given);
    if (given !== undefined && value === undefined) {
      log.warn({ variable: `VITRINE_${name}` }, 'the environment has an invalid value for a setting');
    }
    return [name, value ?? SETTINGS[name].default];
  });
  return Object.fromEntries(initial) as Values;
}

function readable(name: SettingName, value: string): string | undefined {
  try {
    return readSettingValue(name, value);
  } catch {
    return undefined;
  }
}

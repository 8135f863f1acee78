import type { FeatureFlag } from '../../contract/permissions.ts';
import type { Catalog } from '../../infra/catalog/catalog.ts';

/** Interface section 4.15: name, default. */
const DEFAULTS = {
  DATASET_SNAPSHOTS_ENABLED: 'true',
  DATASET_SHARE_ENABLED: 'true',
  ADD_MEDIA_ENABLED: 'true',
  DELETE_DATASET_ENABLED: 'true',
  SWAP_RGB_CHANNELS_FOR_TIFF_HEIC: 'false',
} as const;

export type SettingName = keyof typeof DEFAULTS;

/** Runtime settings: an override from the catalog, else one from the environment (`VITRINE_<NAME>`), else the default. */
export class SettingsService {
  readonly #catalog: Catalog;
  readonly #environment: Readonly<Record<string, string | undefined>>;

  constructor(catalog: Catalog, environment: Readonly<Record<string, string | undefined>>) {
    this.#catalog = catalog;
    this.#environment = environment;
  }

  get(name: SettingName): string {
    const row = this.#catalog.find<{ value: string }>('SELECT value FROM setting WHERE key = :name', { name });
    return row?.value ?? this.#environment[`VITRINE_${name}`] ?? DEFAULTS[name];
  }

  isOn(name: FeatureFlag | SettingName): boolean {
    return ['true', '1'].includes(this.get(name).trim().toLowerCase());
  }
}

import type { FeatureFlag } from '../../contract/permissions.ts';
import type { Catalog } from '../../infra/catalog/catalog.ts';
import type { IssueLimits } from '../ports/issues.ts';

/** Interface section 4.15: name, default. */
const DEFAULTS = {
  DATASET_SNAPSHOTS_ENABLED: 'true',
  DATASET_SHARE_ENABLED: 'true',
  ADD_MEDIA_ENABLED: 'true',
  DELETE_DATASET_ENABLED: 'true',
  SWAP_RGB_CHANNELS_FOR_TIFF_HEIC: 'false',
  // Ours: how media are taken in.
  ALLOW_PRIVATE_MEDIA_URLS: 'false',
  S3_ENDPOINT: '',
  S3_REGION: '',
  S3_PATH_STYLE: '',
  ARCHIVE_MAX_ENTRIES: '',
  ARCHIVE_MAX_TOTAL_BYTES: '',
  ARCHIVE_MAX_ENTRY_BYTES: '',
  ARCHIVE_MAX_RATIO: '',
  ARCHIVE_MAX_DEPTH: '',
  FFMPEG_PATH: '',
  VIDEO_FRAMES_PER_SECOND: '1',
  VIDEO_MAX_FRAMES: '600',
  // Ours: how many datasets are kept open at once, and by how many threads each is read; by the machine when empty.
  OPEN_DATASETS: '',
  DATASET_READERS: '',
  // An execution provider such as cpu, cuda or webgpu; empty: the fastest that works.
  MODEL_DEVICE: '',
  // The encoder of new datasets: a model's id or none; empty: the best that is here.
  DEFAULT_ENCODER: '',
  // Ours: where models come from. Mirrors are separated by spaces or commas; the catalogue is a file, the one that comes along when empty.
  MODELS_HUB_URL: 'https://huggingface.co',
  MODELS_MIRRORS: '',
  MODELS_NEVER_DOWNLOAD: 'false',
  MODELS_CATALOGUE: '',
  // Ours: where issues begin; see IssueLimits.
  ISSUE_BLUR: '1',
  ISSUE_DARK: '0.18',
  ISSUE_BRIGHT: '0.3',
  ISSUE_LOW_INFORMATION: '1',
  ISSUE_ODD_ASPECT_RATIO: '0.35',
  ISSUE_ODD_SIZE: '3',
  ISSUE_DUPLICATES: '0.95',
  ISSUE_OUTLIERS: '1.5',
  // Ours: how many items an export may have, how many with images, and for how many days and how many of a dataset they are kept.
  EXPORT_MAX_ITEMS: '1000000',
  EXPORT_MAX_IMAGES: '100000',
  EXPORT_DAYS: '7',
  EXPORT_MOST: '20',
  // Ours: how long a session lasts that is not used, and how long it lasts at all.
  SESSION_IDLE_MINUTES: '480',
  SESSION_HOURS: '168',
  // Ours: where backups were made last.
  BACKUP_FOLDER: '',
} as const;

export type SettingName = keyof typeof DEFAULTS;

type ArchiveLimitName = 'max_entries' | 'max_total_bytes' | 'max_entry_bytes' | 'max_ratio' | 'max_depth';

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

  /** Overrides a setting from now on. */
  set(name: SettingName, value: string): void {
    this.#catalog.run(
      'INSERT INTO setting VALUES (:name, :value) ON CONFLICT (key) DO UPDATE SET value = excluded.value',
      { name, value },
    );
  }

  /** A number, or the given default where none or nonsense is set. */
  number(name: SettingName, otherwise: number): number {
    const value = Number(this.get(name));
    return this.get(name) !== '' && Number.isFinite(value) && value > 0 ? value : otherwise;
  }

  objectStorage(): { endpoint?: string; region?: string; pathStyle?: boolean } {
    const endpoint = this.get('S3_ENDPOINT');
    const region = this.get('S3_REGION');
    return {
      ...(endpoint === '' ? {} : { endpoint }),
      ...(region === '' ? {} : { region }),
      ...(this.get('S3_PATH_STYLE') === '' ? {} : { pathStyle: this.isOn('S3_PATH_STYLE') }),
    };
  }

  archiveLimits<Limits extends Record<ArchiveLimitName, number>>(defaults: Limits): Limits {
    return {
      ...defaults,
      max_entries: this.number('ARCHIVE_MAX_ENTRIES', defaults.max_entries),
      max_total_bytes: this.number('ARCHIVE_MAX_TOTAL_BYTES', defaults.max_total_bytes),
      max_entry_bytes: this.number('ARCHIVE_MAX_ENTRY_BYTES', defaults.max_entry_bytes),
      max_ratio: this.number('ARCHIVE_MAX_RATIO', defaults.max_ratio),
      max_depth: this.number('ARCHIVE_MAX_DEPTH', defaults.max_depth),
    };
  }

  issueLimits(): IssueLimits {
    const limit = (name: keyof typeof DEFAULTS & `ISSUE_${string}`) => this.number(name, Number(DEFAULTS[name]));
    return {
      blur: limit('ISSUE_BLUR'),
      dark: limit('ISSUE_DARK'),
      bright: limit('ISSUE_BRIGHT'),
      low_information: limit('ISSUE_LOW_INFORMATION'),
      odd_aspect_ratio: limit('ISSUE_ODD_ASPECT_RATIO'),
      odd_size: limit('ISSUE_ODD_SIZE'),
      duplicates: limit('ISSUE_DUPLICATES'),
      outliers: limit('ISSUE_OUTLIERS'),
    };
  }

  exports(): { items: number; images: number; days: number; most: number } {
    const limit = (name: keyof typeof DEFAULTS & `EXPORT_${string}`) => this.number(name, Number(DEFAULTS[name]));
    return {
      items: limit('EXPORT_MAX_ITEMS'),
      images: limit('EXPORT_MAX_IMAGES'),
      days: limit('EXPORT_DAYS'),
      most: limit('EXPORT_MOST'),
    };
  }

  video(resourcesFolder: string) {
    return {
      ffmpeg: this.get('FFMPEG_PATH') || undefined,
      bundled_folder: `${resourcesFolder}/bin`,
      frames_per_second: this.number('VIDEO_FRAMES_PER_SECOND', 1),
      max_frames: this.number('VIDEO_MAX_FRAMES', 600),
    };
  }

  isOn(name: FeatureFlag | SettingName): boolean {
    return ['true', '1'].includes(this.get(name).trim().toLowerCase());
  }
}

import type { SETTING_GROUPS } from '../../contract/schemas/setting.ts';

type Group = (typeof SETTING_GROUPS)[number];

interface Declared {
  group: Group;
  description: string;
  /** As text. Empty where something else decides until somebody sets it; such a setting may be empty again. */
  default: string;
}

/** What a setting is and may be. */
export type SettingDeclaration = Declared &
  (
    | { type: 'boolean' }
    | { type: 'number'; minimum: number; maximum: number; is_whole: boolean }
    | { type: 'choice'; choices: readonly string[]; synonyms?: Readonly<Record<string, string>> }
    | { type: 'text'; form: 'free' | 'address' | 'path' | 'paths' | 'addresses' | 'origins' }
  );

const flag = (group: Group, isOn: boolean, description: string) =>
  ({ type: 'boolean', group, default: String(isOn), description }) as const;

const number = (group: Group, initial: string, [minimum, maximum]: [number, number], description: string) =>
  ({ type: 'number', group, default: initial, minimum, maximum, is_whole: false, description }) as const;

const count = (group: Group, initial: string, [minimum, maximum]: [number, number], description: string) =>
  ({ type: 'number', group, default: initial, minimum, maximum, is_whole: true, description }) as const;

const text = <Form extends 'free' | 'address' | 'path' | 'paths' | 'addresses' | 'origins'>(
  group: Group,
  form: Form,
  description: string,
  initial = '',
) => ({ type: 'text', group, form, default: initial, description }) as const;

const MANY = Number.MAX_SAFE_INTEGER;

/** Every runtime setting: those of interface section 4.15 first, then ours. */
export const SETTINGS = {
  DATASET_SNAPSHOTS_ENABLED: flag('features', true, 'Snapshots of datasets can be made, restored and cloned.'),
  SVC_CHAT_ENABLED: flag('features', false, 'Chat assistant. Kept for other programs; nothing here depends on it.'),
  ENRICHMENT_INLINE_FLOW_ENABLED: flag(
    'features',
    false,
    'Inline enrichment workflow. Kept for other programs; nothing here depends on it.',
  ),
  DATASET_SHARE_ENABLED: flag('features', true, 'Datasets can be shared with other accounts.'),
  ADD_MEDIA_ENABLED: flag('features', true, 'Media can be added to datasets that are there.'),
  DELETE_DATASET_ENABLED: flag('features', true, 'Datasets can be deleted.'),
  LOG_LEVEL: {
    type: 'choice',
    group: 'service',
    default: 'INFO',
    choices: ['DEBUG', 'INFO', 'WARNING', 'ERROR', 'CRITICAL'],
    synonyms: { WARN: 'WARNING', FATAL: 'CRITICAL' },
    description: 'What is written to the log: entries of this level and graver ones.',
  },
  SWAP_RGB_CHANNELS_FOR_TIFF_HEIC: flag(
    'media',
    false,
    'Red and blue change places in TIFF and HEIC files that are read from now on.',
  ),
  ALLOW_PRIVATE_MEDIA_URLS: flag('media', false, 'Lists may name http(s) addresses in private networks.'),
  S3_ENDPOINT: text('storage', 'address', 'Address of an object storage other than Amazon’s.'),
  S3_REGION: text('storage', 'free', 'Region of the object storage; empty: as the environment says.'),
  S3_PATH_STYLE: {
    type: 'choice',
    group: 'storage',
    default: '',
    choices: ['', 'true', 'false'],
    synonyms: { '1': 'true', '0': 'false' },
    description: 'Buckets are named in the path and not in the host; empty: where the storage is not Amazon’s.',
  },
  ARCHIVE_MAX_ENTRIES: count('archives', '', [1, MANY], 'Entries that an archive may have; empty: 1,000,000.'),
  ARCHIVE_MAX_TOTAL_BYTES: count('archives', '', [1, MANY], 'Bytes of an archive unpacked; empty: 512 GiB.'),
  ARCHIVE_MAX_ENTRY_BYTES: count('archives', '', [1, MANY], 'Bytes of one file of an archive; empty: 64 GiB.'),
  ARCHIVE_MAX_RATIO: number('archives', '', [1, 100_000], 'Unpacked by packed size; empty: 200.'),
  ARCHIVE_MAX_DEPTH: count('archives', '', [1, 10_000], 'Folders above a file of an archive; empty: 64.'),
  FFMPEG_PATH: text('videos', 'path', 'ffmpeg, or the folder it is in; empty: it is searched for.'),
  VIDEO_FRAMES_PER_SECOND: number('videos', '1', [0.001, 1000], 'Frames taken from a second of a video.'),
  VIDEO_MAX_FRAMES: count('videos', '600', [1, 1_000_000], 'The most frames taken from one video.'),
  OPEN_DATASETS: count('service', '', [1, 10_000], 'Datasets that are kept open at once; empty: 8.'),
  DATASET_READERS: count('service', '', [1, 64], 'Threads that read a dataset; empty: a quarter of the cores.'),
  MODEL_DEVICE: {
    type: 'choice',
    group: 'models',
    default: 'auto',
    choices: ['auto', 'cpu', 'cuda', 'coreml', 'dml', 'webgpu'],
    synonyms: { '': 'auto' },
    description: 'What models run on, where it works; auto: the fastest.',
  },
  DEFAULT_ENCODER: text('models', 'free', 'Encoder of new datasets: a model’s id, or none; empty: the best there is.'),
  MODELS_HUB_URL: text('models', 'address', 'Where models are fetched from.', 'https://huggingface.co'),
  MODELS_MIRRORS: text('models', 'addresses', 'Other addresses for that, separated by spaces.'),
  MODELS_NEVER_DOWNLOAD: flag('models', false, 'No models are fetched.'),
  MODELS_CATALOGUE: text('models', 'path', 'File of another catalogue of models; empty: the one that comes along.'),
  ISSUE_BLUR: number('issues', '1', [0.001, 1000], 'Where blur begins.'),
  ISSUE_DARK: number('issues', '0.18', [0.001, 1], 'Brightness below which an image is dark.'),
  ISSUE_BRIGHT: number('issues', '0.3', [0.001, 1], 'Where an image begins to be too bright.'),
  ISSUE_LOW_INFORMATION: number('issues', '1', [0.001, 1000], 'Where an image holds too little.'),
  ISSUE_ODD_ASPECT_RATIO: number('issues', '0.35', [0.001, 1], 'Short by long side below which a shape is odd.'),
  ISSUE_ODD_SIZE: number('issues', '3', [0.001, 1000], 'How far from the others’ a size is odd.'),
  ISSUE_DUPLICATES: number('issues', '0.95', [0.001, 1], 'Similarity from which images are duplicates.'),
  ISSUE_OUTLIERS: number('issues', '1.5', [0.001, 1000], 'How far from the others an image is an outlier.'),
  EXPORT_MAX_ITEMS: count('exports', '1000000', [1, MANY], 'The most items of an export.'),
  EXPORT_MAX_IMAGES: count('exports', '100000', [1, MANY], 'The most items of an export with images.'),
  EXPORT_DAYS: number('exports', '7', [0.001, 36_500], 'Days that an export is kept.'),
  EXPORT_MOST: count('exports', '20', [1, 100_000], 'Exports of one dataset that are kept.'),
  SESSION_IDLE_MINUTES: number('access', '480', [1, 525_600], 'Minutes after which a session that is not used ends.'),
  SESSION_HOURS: number('access', '168', [0.1, 87_600], 'Hours after which a session ends at all.'),
  OPENED_FOLDERS: text(
    'access',
    'paths',
    'Folders of the server that people may name for media, models and backups, one a line. Empty: every folder while authentication is off, none while it is on.',
  ),
  ALLOWED_ORIGINS: text(
    'access',
    'origins',
    'Web pages elsewhere that may call the API with a person’s session, such as https://tools.example.org; separated by spaces.',
  ),
  AUDIT_DAYS: count('access', '400', [1, 36_500], 'Days that entries of the audit log are kept.'),
  BACKUP_FOLDER: text('backups', 'path', 'Where backups are made when no folder is named.'),
} as const satisfies Record<string, SettingDeclaration>;

export type SettingName = keyof typeof SETTINGS;
export const SETTING_NAMES = Object.keys(SETTINGS) as readonly SettingName[];

export function isSettingName(name: string): name is SettingName {
  return Object.hasOwn(SETTINGS, name);
}

import type { SETTING_GROUPS } from '../../contract/schemas/setting.ts';

type Group = (typeof SETTING_GROUPS)[number];

interface Declared {
  group: Group;
  description: string;
  /** Default value as text. Empty if it is decided elsewhere until a user sets the setting; such a setting may be set back to empty. */
  default: string;
}

/** What a text must be. `engine`: the address of a vector engine. `secret`: stored encrypted, and never returned. */
type TextForm = 'free' | 'address' | 'path' | 'paths' | 'addresses' | 'origins' | 'engine' | 'secret';

/** Type, default and allowed values of a setting. */
export type SettingDeclaration = Declared &
  (
    | { type: 'boolean' }
    | { type: 'number'; minimum: number; maximum: number; is_whole: boolean }
    | { type: 'choice'; choices: readonly string[]; synonyms?: Readonly<Record<string, string>> }
    | { type: 'text'; form: TextForm }
  );

const flag = (group: Group, isOn: boolean, description: string) =>
  ({ type: 'boolean', group, default: String(isOn), description }) as const;

const number = (group: Group, initial: string, [minimum, maximum]: [number, number], description: string) =>
  ({ type: 'number', group, default: initial, minimum, maximum, is_whole: false, description }) as const;

const count = (group: Group, initial: string, [minimum, maximum]: [number, number], description: string) =>
  ({ type: 'number', group, default: initial, minimum, maximum, is_whole: true, description }) as const;

const text = <Form extends TextForm>(group: Group, form: Form, description: string, initial = '') =>
  ({ type: 'text', group, form, default: initial, description }) as const;

const MANY = Number.MAX_SAFE_INTEGER;

/** All runtime settings: those of interface section 4.15 first, then Vitrine's own. */
export const SETTINGS = {
  DATASET_SNAPSHOTS_ENABLED: flag('features', true, 'Allows snapshots of datasets: create, restore, clone.'),
  SVC_CHAT_ENABLED: flag('features', false, 'Chat assistant. Kept for other programs; nothing here depends on it.'),
  ENRICHMENT_INLINE_FLOW_ENABLED: flag(
    'features',
    false,
    'Inline enrichment workflow. Kept for other programs; nothing here depends on it.',
  ),
  DATASET_SHARE_ENABLED: flag('features', true, 'Allows sharing datasets with other accounts.'),
  ADD_MEDIA_ENABLED: flag('features', true, 'Allows adding media to existing datasets.'),
  DELETE_DATASET_ENABLED: flag('features', true, 'Allows deleting datasets.'),
  LOG_LEVEL: {
    type: 'choice',
    group: 'service',
    default: 'INFO',
    choices: ['DEBUG', 'INFO', 'WARNING', 'ERROR', 'CRITICAL'],
    synonyms: { WARN: 'WARNING', FATAL: 'CRITICAL' },
    description: 'Minimum level of log entries.',
  },
  SWAP_RGB_CHANNELS_FOR_TIFF_HEIC: flag(
    'media',
    false,
    'Swaps red and blue in TIFF and HEIC files that are read from now on.',
  ),
  ALLOW_PRIVATE_MEDIA_URLS: flag('media', false, 'Allows lists to name http(s) addresses in private networks.'),
  S3_ENDPOINT: text('storage', 'address', 'Address of an S3-compatible object storage; empty: Amazon S3.'),
  S3_REGION: text('storage', 'free', 'Region of the object storage; empty: from the AWS environment.'),
  S3_PATH_STYLE: {
    type: 'choice',
    group: 'storage',
    default: '',
    choices: ['', 'true', 'false'],
    synonyms: { '1': 'true', '0': 'false' },
    description: 'Names buckets in the path instead of the host; empty: unless the storage is Amazon S3.',
  },
  ARCHIVE_MAX_ENTRIES: count('archives', '', [1, MANY], 'Maximum number of entries of an archive; empty: 1,000,000.'),
  ARCHIVE_MAX_TOTAL_BYTES: count(
    'archives',
    '',
    [1, MANY],
    'Maximum unpacked size of an archive in bytes; empty: 512 GiB.',
  ),
  ARCHIVE_MAX_ENTRY_BYTES: count(
    'archives',
    '',
    [1, MANY],
    'Maximum size of one file of an archive in bytes; empty: 64 GiB.',
  ),
  ARCHIVE_MAX_RATIO: number('archives', '', [1, 100_000], 'Maximum ratio of unpacked to packed size; empty: 200.'),
  ARCHIVE_MAX_DEPTH: count('archives', '', [1, 10_000], 'Maximum depth of folders in an archive; empty: 64.'),
  FFMPEG_PATH: text('videos', 'path', 'Path of ffmpeg or of its folder; empty: ffmpeg is searched for.'),
  VIDEO_FRAMES_PER_SECOND: number('videos', '1', [0.001, 1000], 'Frames extracted per second of video.'),
  VIDEO_MAX_FRAMES: count('videos', '600', [1, 1_000_000], 'Maximum number of frames extracted from one video.'),
  VECTOR_ENGINE: {
    type: 'choice',
    group: 'vectors',
    default: 'built-in',
    choices: ['built-in', 'external'],
    description:
      'Where datasets are searched by similarity once they are indexed; external: the engine at VECTOR_ENGINE_URL.',
  },
  VECTOR_ENGINE_URL: text(
    'vectors',
    'engine',
    'Address of an external vector engine: http(s) for Qdrant, postgresql:// for PostgreSQL with pgvector; empty: none.',
  ),
  VECTOR_ENGINE_KEY: text('vectors', 'secret', 'API key of Qdrant, or password of the database user; empty: none.'),
  RAY_ADDRESS: text(
    'models',
    'address',
    'Address of the dashboard of a Ray cluster that applies models, such as http://127.0.0.1:8265; empty: none.',
  ),
  INFERENCE_HOSTS: text(
    'models',
    'addresses',
    'Addresses of inference hosts that apply models together with this machine, such as http://10.0.0.5:2090, separated by spaces; empty: none.',
  ),
  INFERENCE_SECRET: text('models', 'secret', 'Secret that the inference hosts were started with; empty: none.'),
  METRICS_KEY: text(
    'service',
    'secret',
    'Key that monitors send as bearer token to read Prometheus metrics at /metrics; empty: no metrics.',
  ),
  OPEN_DATASETS: count('service', '', [1, 10_000], 'Maximum number of open datasets; empty: 8.'),
  DATASET_READERS: count('service', '', [1, 7], 'Threads that read datasets; empty: a quarter of the cores, 3 or 4.'),
  MODEL_DEVICE: {
    type: 'choice',
    group: 'models',
    default: 'auto',
    choices: ['auto', 'cpu', 'cuda', 'coreml', 'dml', 'webgpu'],
    synonyms: { '': 'auto' },
    description: 'Execution provider of models; auto: the fastest that works.',
  },
  DEFAULT_ENCODER: text(
    'models',
    'free',
    'Encoder of new datasets: id of a model, or none; empty: the best installed one.',
  ),
  RECOMMENDED_ENCODER: {
    type: 'choice',
    group: 'models',
    default: 'ask',
    choices: ['ask', 'accepted', 'declined'],
    description: 'Whether datasets get the recommended encoder; ask: the first dataset asks.',
  },
  MODELS_URL: text(
    'models',
    'address',
    'Address of a mirror with a folder for each package of the catalogue, tried before the hub; empty: none.',
  ),
  MODELS_HUB_URL: text('models', 'address', 'Address that models are downloaded from.', 'https://huggingface.co'),
  MODELS_MIRRORS: text('models', 'addresses', 'Other addresses to download models from, separated by spaces.'),
  MODELS_NEVER_DOWNLOAD: flag('models', false, 'Forbids downloading models.'),
  MODELS_CATALOGUE: text('models', 'path', 'Path of another catalogue of models; empty: the one of Vitrine.'),
  ISSUE_BLUR: number(
    'issues',
    '1',
    [0.001, 1000],
    'Sharpness, relative to what is usual, below which an image is blurred.',
  ),
  ISSUE_DARK: number(
    'issues',
    '0.45',
    [0.001, 1],
    'Brightness of the brightest twentieth of an image, below which the image is dark.',
  ),
  ISSUE_BRIGHT: number(
    'issues',
    '0.3',
    [0.001, 1],
    'Distance from white of the darkest twentieth of an image, below which the image is bright. At 0.3, an image of which a fifth is overexposed is bright too; a higher value requires less.',
  ),
  ISSUE_LOW_INFORMATION: number(
    'issues',
    '1',
    [0.001, 1000],
    'Entropy in bits below which an image has low information.',
  ),
  ISSUE_ODD_ASPECT_RATIO: number(
    'issues',
    '0.35',
    [0.001, 1],
    'Ratio of the short to the long side below which an aspect ratio is odd.',
  ),
  ISSUE_ODD_SIZE: number(
    'issues',
    '3',
    [0.001, 1000],
    'Interquartile ranges beyond the quartiles from which a size is odd.',
  ),
  ISSUE_DUPLICATES: number('issues', '0.95', [0.001, 1], 'Minimum confidence of duplicates.'),
  ISSUE_OUTLIERS: number(
    'issues',
    '1.5',
    [0.001, 1000],
    'Interquartile ranges above the third quartile of neighbour distances from which an image is an outlier.',
  ),
  EXPORT_MAX_ITEMS: count('exports', '1000000', [1, MANY], 'Maximum number of items of an export.'),
  EXPORT_MAX_IMAGES: count('exports', '100000', [1, MANY], 'Maximum number of items of an export with images.'),
  EXPORT_DAYS: number(
    'exports',
    '7',
    [0.001, 36_500],
    'Days until an export is deleted. Time in which the app is not running counts as one day at most.',
  ),
  EXPORT_MOST: count('exports', '20', [1, 100_000], 'Maximum number of exports stored per dataset.'),
  SESSION_IDLE_MINUTES: number('access', '480', [1, 525_600], 'Minutes without use after which a session ends.'),
  CALLS_PER_USER: count(
    'access',
    '64',
    [4, 100_000],
    'Maximum number of calls of one account that run at the same time on a server with accounts.',
  ),
  TASKS_PER_USER: count(
    'access',
    '32',
    [1, 100_000],
    'Maximum number of tasks of one account that wait or run on a server with accounts.',
  ),
  SESSION_HOURS: number('access', '168', [0.1, 87_600], 'Maximum hours of a session.'),
  OPENED_FOLDERS: text(
    'access',
    'paths',
    'Folders of the server that users may name for media, models and backups, one per line; empty: every folder while authentication is off, none while it is on.',
  ),
  ALLOWED_ORIGINS: text(
    'access',
    'origins',
    'Origins of other web pages that may call the API with a user’s session, such as https://tools.example.org, separated by spaces.',
  ),
  EMBED_ORIGINS: text(
    'access',
    'origins',
    'Origins of web pages that may show the app in a frame, such as a notebook’s http://localhost:8888, separated by spaces.',
  ),
  AUDIT_DAYS: count('access', '400', [1, 36_500], 'Days until entries of the audit log are deleted.'),
  SCRUB_DAYS: count(
    'backups',
    '30',
    [0, 3650],
    'Days after which all stored data and the last backup are read again in the background and compared with their checksums; 0: never.',
  ),
  SCRUB_MB_PER_SECOND: count(
    'backups',
    '20',
    [1, 10_000],
    'Megabytes per second that the check in the background reads on average.',
  ),
  BACKUP_FOLDER: text('backups', 'path', 'Folder of backups, when none is named.'),
} as const satisfies Record<string, SettingDeclaration>;

export type SettingName = keyof typeof SETTINGS;
export const SETTING_NAMES = Object.keys(SETTINGS) as readonly SettingName[];

export function isSettingName(name: string): name is SettingName {
  return Object.hasOwn(SETTINGS, name);
}

/** Whether the value of a setting is stored encrypted and never returned. */
export function isSecret(name: SettingName): boolean {
  const declaration: SettingDeclaration = SETTINGS[name];
  return declaration.type === 'text' && declaration.form === 'secret';
}

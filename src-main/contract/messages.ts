import { z } from 'zod';

/**
 * The catalogue of messages: one English sentence per code, with `{{name}}` for each parameter. Databases, events and answers hold codes and
 * parameters; sentences are made where a person reads them. The texts have the format of i18next, so that screens use the same catalogue.
 */
export const MESSAGES = {
  /** Text that has no code of its own yet. */
  as_written: '{{text}}',
  unforeseen: 'Something went wrong inside Vitrine. The log has the details.',
  compute_failed: 'A compute job failed unexpectedly.',
  disk_full: 'The disk that holds the data folder is full. Free some space and try again.',

  stopped: 'Stopped',
  download_stopped: 'The download was stopped',
  creation_stopped: 'Creation was stopped',
  restore_stopped: 'Restoring was stopped',
  closed_while_running: 'The app was closed while the task ran',
  interrupted_repeatedly: 'The task was cut off again and again without getting any further',

  dataset_damaged:
    'Damaged on disk: {{problem}}. Put its folder back from a backup and start again, or delete the dataset and create it anew.',
  folder_missing: 'its folder is missing',
  database_missing: 'its database (data.db) is missing',
  database_overwritten: 'its database (data.db) is overwritten or empty',
  database_cut: 'its database (data.db) is cut',
  file_missing: '{{file}} is missing',
  file_cut: '{{file}} is cut',
  file_damaged: '{{file}} is damaged',
  file_cut_or_damaged: '{{file}} is cut or damaged',
  thumbnails_damaged: '{{count}} thumbnails of {{entities}} are missing or damaged',
  vectors_missing: '{{count}} vectors of the {{space}} of {{entities}} are missing',
  vectors_damaged: '{{count}} vectors of the {{space}} of {{entities}} are damaged',
  original_missing: '1 of its originals is missing ({{names}}); bring the dataset back from a backup',
  originals_missing: '{{count}} of its originals are missing ({{names}}); bring the dataset back from a backup',
  originals_damaged: '{{count}} of its originals are damaged; bring the dataset back from a backup',
  snapshot_damaged:
    'Its snapshot {{names}} is damaged and cannot be restored; take a new one, or bring the dataset back from a backup',
  snapshots_damaged:
    'Its snapshots {{names}} are damaged and cannot be restored; take a new one, or bring the dataset back from a backup',

  damage_fatal:
    '{{problem}}. Put its folder back from a backup and start again, or delete the dataset and create it anew.',
  damage_repaired_from_originals: '{{problems}}. It is being made again from the original files.',
  damage_map: '{{problems}}. The map is being laid out again.',
  folder_back: 'Its folder is there again; reindex it to group it anew',
  folder_not_adopted: 'Its folder could not be taken in and is left as it is. The log has the details.',
  folder_lost: 'The copy of the catalog names it, but it has no folder: it was deleted later, or its folder is lost.',
  folder_unreadable: 'Nothing in it can be read; it is in {{place}}',
  originals_set_aside: 'Originals that belong to no dataset; they are in {{place}}',
  dataset_adopted: 'Its folder says all of it',
  dataset_adopted_without_record: 'Its name and settings are lost; its items are all there',
  snapshot_adopted: 'A snapshot of it that the catalog did not know of',
  snapshots_adopted: '{{count}} snapshots of it that the catalog did not know of',
  catalog_outdated: 'The catalog was older than the folder of the dataset, which was right',
  catalog_replaced: '{{cause}}. {{outcome}}',
  catalog_damaged: 'It was damaged and is kept in {{place}}',
  catalog_gone: 'It was gone',
  catalog_rebuilt:
    'It was made again from the folders of the datasets. Settings and older tasks could not be restored.',
  catalog_from_copy:
    'Its copy of {{copied_at}} took its place, with all settings and tasks; what came later is told by the folders of the datasets.',
  record_lost: 'Its creation was cut off and its record is lost',
  backed_up_during_creation: 'It was being created when it was backed up. Create it anew.',

  model_not_applicable: '{{model}} cannot be applied yet',
  model_not_installed:
    '{{model}} is not on this computer. Download it on the Models page, or import it there from a folder.',
  model_alone: '{{model}} needs {{type}}, and no model for that is on this computer',

  bad_storage_path: 'Invalid S3 URI or no media files found at the given uri',
  bad_storage_path_because: 'Invalid S3 URI or no media files found at the given uri: {{problem}}',
  no_storage_credentials:
    'No credentials for the object storage were found in the environment or the AWS configuration',
  location_is_relative: '{{problem}}. A local folder is named by its absolute path',
} as const satisfies Record<string, string>;

export type MessageCode = keyof typeof MESSAGES;

/** A parameter; messages in a list are joined by semicolons. */
export type MessageValue = string | number | Message | readonly Message[];

/** A sentence as data. */
export interface Message {
  code: MessageCode;
  params: Readonly<Record<string, MessageValue>>;
}

type ParamNames<Text extends string> = Text extends `${string}{{${infer Name}}}${infer Rest}`
  ? Name | ParamNames<Rest>
  : never;
type ParamsOf<Code extends MessageCode> = Record<ParamNames<(typeof MESSAGES)[Code]>, MessageValue>;

/** A message on the wire and in databases. Parameters are texts, numbers, or messages in turn. */
export const messageSchema = z.object({
  code: z.string(),
  params: z.record(z.string(), z.unknown()),
}) as unknown as z.ZodType<Message>;

/** @param params One value for each parameter in the text of the code. */
export function message<Code extends MessageCode>(
  code: Code,
  ...[params]: [keyof ParamsOf<Code>] extends [never] ? [] : [ParamsOf<Code>]
): Message {
  return { code, params: params ?? {} };
}

/** A text that somebody else wrote, or that has no code yet. */
export function asWritten(text: string): Message {
  return message('as_written', { text });
}

/** The message in English. */
export function formatMessage({ code, params }: Message): string {
  // A newer version may have stored a code that this one does not know.
  const text: string | undefined = MESSAGES[code];
  return (text ?? code).replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => formatValue(params[name] ?? ''));
}

/** A message as databases hold it: JSON, or the text alone where it has no code. */
export function storeMessage({ code, params }: Message): string {
  const text = code === 'as_written' ? String(params.text) : '';
  return text === '' || text.startsWith('{') ? JSON.stringify({ code, params }) : text;
}

/** Reads what {@link storeMessage} wrote. */
export function readMessage(stored: string): Message {
  return stored.startsWith('{') ? (JSON.parse(stored) as Message) : asWritten(stored);
}

/** Whether a message, or one within its parameters, has a code. */
export function hasCode(value: MessageValue, code: MessageCode): boolean {
  if (typeof value !== 'object') return false;
  if (!('code' in value)) return value.some((one) => hasCode(one, code));
  return value.code === code || Object.values(value.params).some((param) => hasCode(param, code));
}

function formatValue(value: MessageValue): string {
  if (typeof value !== 'object') return String(value);
  return 'code' in value ? formatMessage(value) : value.map(formatMessage).join('; ');
}

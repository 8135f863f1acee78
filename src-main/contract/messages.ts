import { z } from 'zod';
import { ACCOUNT_MESSAGES } from './account-messages.ts';
import { amount } from './amount.ts';
import { ANNOTATION_MESSAGES } from './annotation-messages.ts';
import { ARCHIVE_MESSAGES } from './archive-messages.ts';
import { DATASET_MESSAGES } from './dataset-messages.ts';
import { FILE_MESSAGES } from './file-messages.ts';
import { ISSUE_MESSAGES } from './issue-messages.ts';
import { METADATA_MESSAGES } from './metadata-messages.ts';
import { MODEL_MESSAGES } from './model-messages.ts';
import { OUTCOME_MESSAGES } from './outcome-messages.ts';
import { RESULT_MESSAGES } from './result-messages.ts';
import { SERVICE_MESSAGES } from './service-messages.ts';
import { STORAGE_MESSAGES } from './storage-messages.ts';
import { TASK_MESSAGES } from './task-messages.ts';

/**
 * The catalogue of messages: one English sentence per code, with `{{name}}` for each parameter. Databases, events and answers hold codes and
 * parameters; sentences are made where a person reads them. The texts have the format of i18next, so that screens use the same catalogue:
 * a code with a parameter `count` can have two texts, `_one` and `_other`.
 */
export const MESSAGES = {
  /** Text from outside the catalogue, such as a message of a validation library or of an older server. */
  as_written: '{{text}}',
  /** A whole number, formatted in the language of the sentence around it. */
  whole_number: '{{value}}',
  unforeseen: 'Something went wrong inside Vitrine. The log has the details.',
  compute_failed: 'A compute job failed unexpectedly.',
  disk_full: 'The disk that holds the data folder is full. Free some space and try again.',

  stopped: 'Stopped',
  download_stopped: 'The download was stopped',
  creation_stopped: 'Creation was stopped',
  restore_stopped: 'Restoring was stopped',
  too_many_tasks:
    'You have {{count}} tasks waiting or running; the maximum on this server is {{limit}}. Wait for one to finish, or stop one',
  closed_while_running: 'The app was closed while the task ran',
  interrupted_repeatedly: 'The task was interrupted repeatedly without making progress',

  no_folder_open: 'No folder of the server is open. An admin can open folders under Settings, OPENED_FOLDERS',
  folder_not_open:
    'This folder of the server is not open. An admin can open it under Settings, OPENED_FOLDERS; or upload the files instead',

  dataset_damaged:
    'Damaged on disk: {{problem}}. Restore its folder from a backup and start Vitrine again, or delete the dataset and create it again.',
  folder_missing: 'its folder is missing',
  database_missing: 'its database (data.db) is missing',
  database_overwritten: 'its database (data.db) is overwritten or empty',
  database_cut: 'its database (data.db) is truncated',
  file_missing: '{{file}} is missing',
  file_cut: '{{file}} is truncated',
  file_damaged: '{{file}} is damaged',
  file_cut_or_damaged: '{{file}} is truncated or damaged',
  thumbnails_damaged_other: '{{count}} thumbnails of {{entities}} are missing or damaged',
  thumbnails_damaged_one: '1 thumbnail of {{entities}} is missing or damaged',
  vectors_missing_other: '{{count}} vectors of the {{space}} of {{entities}} are missing',
  vectors_missing_one: '1 vector of the {{space}} of {{entities}} is missing',
  vectors_damaged_other: '{{count}} vectors of the {{space}} of {{entities}} are damaged',
  vectors_damaged_one: '1 vector of the {{space}} of {{entities}} is damaged',
  originals_missing_other: '{{count}} of its originals are missing ({{names}}); restore the dataset from a backup',
  originals_missing_one: '1 of its originals is missing ({{names}}); restore the dataset from a backup',
  backup_damaged_other:
    'The last backup cannot be restored completely: {{count}} of its files are damaged. Create a new one in another folder',
  backup_damaged_one:
    'The last backup cannot be restored completely: 1 of its files is damaged. Create a new one in another folder',
  backups_unreadable_other: '{{count}} backups of the folder cannot be read at all. Create a new one in another folder',
  backups_unreadable_one: '1 backup of the folder cannot be read at all. Create a new one in another folder',
  backup_folder_unreadable:
    'The folder of backups cannot be read ({{problem}}). Check its drive, and create a new backup in another folder',
  originals_damaged_other: '{{count}} of its originals are damaged; restore the dataset from a backup',
  originals_damaged_one: '1 of its originals is damaged; restore the dataset from a backup',
  names_and_more: '{{names}}, {{n}} more',
  snapshots_damaged_other:
    '{{count}} of its snapshots are damaged and cannot be restored ({{names}}); create a new one, or restore the dataset from a backup',
  snapshots_damaged_one:
    '1 of its snapshots is damaged and cannot be restored ({{names}}); create a new one, or restore the dataset from a backup',
  originals_restored_other: '{{count}} originals that were missing or damaged were restored from a backup',
  originals_restored_one: '1 original that was missing or damaged was restored from a backup',
  snapshot_blocks_restored_other: '{{count}} damaged parts of its snapshots were restored from a backup',
  snapshot_blocks_restored_one: '1 damaged part of its snapshots was restored from a backup',
  damage_found_title: 'The data check found damage',
  damage_found: '{{name}}: {{problems}}',

  damage_fatal:
    '{{problem}}. Restore its folder from a backup and start Vitrine again, or delete the dataset and create it again.',
  damage_repaired_from_originals: '{{problems}}. It is being computed again from the original files.',
  damage_map: '{{problems}}. The map is being computed again.',
  folder_back: 'Its folder is back; reindex the dataset to group its items again',
  folder_not_adopted: 'Its folder could not be added to the catalog and was left unchanged. The log has the details.',
  folder_lost:
    'The copy of the catalog lists this dataset, but its folder does not exist: the dataset was deleted later, or the folder is lost.',
  folder_unreadable: 'Its folder cannot be read and was moved to {{place}}',
  originals_set_aside: 'Originals that belong to no dataset were moved to {{place}}',
  dataset_adopted: 'It was restored completely from its folder',
  dataset_adopted_without_record: 'Its items were restored from its folder; its name and settings are lost',
  snapshots_adopted_other: '{{count}} snapshots that were missing in the catalog were restored from its folder',
  snapshots_adopted_one: '1 snapshot that was missing in the catalog was restored from its folder',
  catalog_outdated: 'The catalog was older than the folder of the dataset and was updated from it',
  catalog_replaced: '{{cause}}. {{outcome}}',
  catalog_damaged: 'The catalog was damaged; the damaged file was moved to {{place}}',
  catalog_gone: 'The catalog was missing',
  catalog_rebuilt: 'It was rebuilt from the folders of the datasets. Settings and older tasks could not be restored.',
  catalog_from_copy:
    'It was restored from its copy of {{copied_at}}, with all settings and tasks; later changes were read from the folders of the datasets.',
  record_lost: 'Its creation was interrupted and its record is lost',
  backed_up_during_creation: 'It was being created when it was backed up. Create it again.',

  ...FILE_MESSAGES,
  ...ANNOTATION_MESSAGES,
  ...METADATA_MESSAGES,
  ...ARCHIVE_MESSAGES,
  ...MODEL_MESSAGES,
  ...STORAGE_MESSAGES,
  ...TASK_MESSAGES,
  ...OUTCOME_MESSAGES,
  ...RESULT_MESSAGES,
  ...ACCOUNT_MESSAGES,
  ...DATASET_MESSAGES,
  ...SERVICE_MESSAGES,
  ...ISSUE_MESSAGES,
} as const satisfies Record<string, string>;

type MessageKey = keyof typeof MESSAGES;
export type MessageCode = MessageKey extends infer Key
  ? Key extends `${infer Code}_${'one' | 'other'}`
    ? Code
    : Key
  : never;

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
type TextOf<Code extends MessageCode> = (typeof MESSAGES)[Extract<MessageKey, Code | `${Code}_other`>];
type ParamsOf<Code extends MessageCode> = Record<ParamNames<TextOf<Code>>, MessageValue>;

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

/** A number of things in a sentence, such as `12,480`. */
export function wholeNumber(value: number): Message {
  return message('whole_number', { value });
}

/** A text that somebody else wrote, such as a validation library. Vitrine's own sentences have codes. */
export function asWritten(text: string): Message {
  return message('as_written', { text });
}

/** The message in English. */
export function formatMessage({ code, params }: Message): string {
  if (code === 'whole_number') return amount(Number(params.value));
  const texts: Readonly<Record<string, string>> = MESSAGES;
  // A newer version may have stored a code that this one does not know.
  const text = texts[`${code}_${params.count === 1 ? 'one' : 'other'}`] ?? texts[code];
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

/** A row as a database holds it, with its reason as {@link storeMessage} wrote it. */
export type StoredReason<Row extends { reason: Message }> = Omit<Row, 'reason'> & { reason: string };

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

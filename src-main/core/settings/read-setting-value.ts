import { type AppError, invalidField } from '../../contract/errors.ts';
import { type Message, message } from '../../contract/messages.ts';
import { SETTINGS, type SettingDeclaration, type SettingName } from './setting-declarations.ts';

const MAX_CHARACTERS = 10_000;
const TRUE = ['true', '1'];
const FALSE = ['false', '0'];

/**
 * Validates a setting's new value and returns the text to store.
 * @param value Text, or the JSON value of the setting's type: a boolean, a number, a list of strings.
 * @throws AppError `invalid_input` stating the allowed values.
 */
export function readSettingValue(name: SettingName, value: unknown): string {
  const declaration: SettingDeclaration = SETTINGS[name];
  const text = textOf(value, declaration);
  if (text === undefined || text.length > MAX_CHARACTERS) throw unfit(message('setting_not_text'));
  if (text.includes('\0')) throw unfit(message('setting_with_zero_byte'));
  if (text === '' && declaration.default === '') return '';
  switch (declaration.type) {
    case 'boolean':
      return readFlag(text.toLowerCase());
    case 'number':
      return readNumber(text, declaration);
    case 'choice':
      return readChoice(text, declaration);
    default:
      return readText(text, declaration);
  }
}

function textOf(value: unknown, declaration: SettingDeclaration): string | undefined {
  const isText = declaration.type === 'text';
  // Trailing spaces may be part of a folder name.
  if (typeof value === 'string') return isText && declaration.form === 'path' ? value : value.trim();
  if (typeof value === 'boolean' || typeof value === 'number') return String(value);
  const isList = Array.isArray(value) && value.every((part) => typeof part === 'string');
  return isList && isText ? value.join('\n').trim() : undefined;
}

function readFlag(text: string): string {
  if (TRUE.includes(text)) return 'true';
  if (FALSE.includes(text)) return 'false';
  throw unfit(message('setting_not_boolean'));
}

function readNumber(text: string, { minimum, maximum, is_whole }: SettingDeclaration & { type: 'number' }): string {
  const number = text === '' ? Number.NaN : Number(text);
  if (!(is_whole ? Number.isSafeInteger(number) : Number.isFinite(number))) {
    throw unfit(message(is_whole ? 'setting_not_whole' : 'setting_not_number'));
  }
  if (number < minimum || number > maximum) throw unfit(message('setting_out_of_range', { minimum, maximum }));
  return String(number);
}

function readChoice(text: string, { choices, synonyms }: SettingDeclaration & { type: 'choice' }): string {
  const requested = synonyms && Object.hasOwn(synonyms, text.toUpperCase()) ? synonyms[text.toUpperCase()] : text;
  const chosen = choices.find((choice) => choice.toLowerCase() === requested?.toLowerCase());
  if (chosen === undefined) {
    throw unfit(message('setting_not_choice', { choices: choices.filter((choice) => choice !== '').join(', ') }));
  }
  return chosen;
}

function readText(text: string, { form }: SettingDeclaration & { type: 'text' }): string {
  switch (form) {
    case 'address':
      return readAddress(text);
    case 'addresses':
      return listOf(text).map(readAddress).join(' ');
    case 'origins':
      return listOf(text).map(readOrigin).join(' ');
    case 'engine':
      return readEngineAddress(text);
    case 'path':
      return readPath(text);
    case 'paths':
      return linesOf(text).map(readPath).join('\n');
    default:
      return text;
  }
}

/** Splits a setting that holds several addresses. */
export function listOf(text: string): string[] {
  return text.split(/[\s,]+/).filter((part) => part !== '');
}

/** Splits a setting that holds several paths: one per line, or separated by semicolons as in an environment variable. */
export function linesOf(text: string): string[] {
  return text
    .split(/[\n;]/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

function readAddress(text: string): string {
  const url = httpUrl(text);
  if (!url) throw unfit(message('setting_not_address'));
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    throw unfit(message('setting_address_not_plain'));
  }
  return url.href.replace(/\/+$/, '');
}

/** The password is a setting of its own, since this one is shown. */
function readEngineAddress(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^(https?|postgres(ql)?):$/.test(url.protocol)) {
    throw unfit(message('setting_not_engine_address'));
  }
  if (url.password !== '') throw unfit(message('setting_address_with_password'));
  return text;
}

function readOrigin(text: string): string {
  const url = httpUrl(text);
  if (!url || url.origin !== text.toLowerCase().replace(/\/$/, '')) {
    throw unfit(message('setting_not_origins'));
  }
  return url.origin;
}

function httpUrl(text: string): URL | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url?.protocol === 'https:' || url?.protocol === 'http:' ? url : undefined;
}

/** Accepts absolute paths of POSIX and of Windows: the core does not know which system it runs on. */
function readPath(text: string): string {
  if (!/^(\/|[a-z]:[\\/]|\\\\)/i.test(text)) throw unfit(message('setting_not_path'));
  return text;
}

function unfit(problem: Message): AppError {
  return invalidField('value', problem);
}

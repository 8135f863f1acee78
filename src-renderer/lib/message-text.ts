import i18next from 'i18next';
import type { Message, MessageValue } from '../../src-main/contract/messages.ts';
import { formatCount } from './format.ts';

/** A message of the server in the language of the page; undefined without one. */
export function messageText(message: Message): string;
export function messageText(message: Message | null | undefined): string | undefined;
export function messageText(message: Message | null | undefined): string | undefined {
  if (!message) return undefined;
  const { code, params } = message;
  if (code === 'whole_number') return formatCount(Number(params.value));
  const texts = Object.entries(params).map(([name, value]) => [name, valueText(value)] as const);
  return i18next.t(`messages.${code}`, { ...Object.fromEntries(texts), defaultValue: code });
}

/** Numbers stay numbers, because i18next selects the plural by them. */
function valueText(value: MessageValue): string | number {
  if (typeof value !== 'object') return value;
  return 'code' in value ? messageText(value) : value.map(messageText).join('; ');
}

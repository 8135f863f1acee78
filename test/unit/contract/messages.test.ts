import { describe, expect, it, onTestFinished } from 'vitest';
import { AppError, errorBody, reasonOf } from '../../../src-main/contract/errors.ts';
import {
  asWritten,
  formatMessage,
  hasCode,
  MESSAGES,
  type MessageCode,
  message,
  readMessage,
  storeMessage,
} from '../../../src-main/contract/messages.ts';
import { counted } from '../../../src-main/core/tasks/amount.ts';
import { CallsUnderWay } from '../../../src-main/infra/threads/calls-under-way.ts';
import { answer } from '../../../src-main/infra/threads/thread-messages.ts';
import { de } from '../../../src-renderer/i18n/de.ts';
import { startI18n } from '../../../src-renderer/i18n/start-i18n.ts';
import { messageText } from '../../../src-renderer/lib/message-text.ts';

const nested = message('location_is_relative', { problem: message('bad_storage_path') });

describe('a message', () => {
  it('is formatted with its parameters, which may be messages', () => {
    expect(formatMessage(nested)).toBe(`${MESSAGES.bad_storage_path}. A local folder is named by its absolute path`);
    expect(formatMessage(asWritten('100 {{percent}} $t(title)'))).toBe('100 {{percent}} $t(title)');
  });

  it('joins lists', () => {
    const problem = [asWritten('first'), asWritten('second')];
    expect(formatMessage(message('bad_storage_path_because', { problem }))).toMatch(/: first; second$/);
  });

  it('has a text of its own for a count of 1', () => {
    startI18n();
    for (const [count, text] of [
      [1, '1 of its originals is damaged; restore the dataset from a backup'],
      [2, '2 of its originals are damaged; restore the dataset from a backup'],
    ] as const) {
      expect(formatMessage(message('originals_damaged', { count }))).toBe(text);
      expect(messageText(message('originals_damaged', { count }))).toBe(text);
    }
  });

  it('is found by its code at any depth', () => {
    expect(hasCode(nested, 'bad_storage_path')).toBe(true);
    expect(hasCode(nested, 'disk_full')).toBe(false);
    expect(hasCode(message('bad_storage_path_because', { problem: [nested] }), 'bad_storage_path')).toBe(true);
  });

  it.each([nested, message('stopped'), asWritten('The disk is full'), asWritten('{"code":"stopped"}'), asWritten('')])(
    'is read from a database as it was stored: %j',
    (one) => expect(readMessage(storeMessage(one))).toEqual(one),
  );

  it('shows its code when a newer version stored it', () => {
    expect(formatMessage({ code: 'from_the_future' as MessageCode, params: {} })).toBe('from_the_future');
  });

  it('has the numbers of the language of the page', async () => {
    const i18n = startI18n();
    i18n.addResourceBundle('de', 'translation', de);
    await i18n.changeLanguage('de');
    onTestFinished(async () => void (await i18n.changeLanguage('en')));
    expect(messageText(counted('n_items', 12_480))).toBe('12.480 Elemente');
    expect(messageText(counted('n_items', 1))).toBe('1 Element');
  });

  it('reads the same on a page', () => {
    startI18n();
    for (const one of [nested, asWritten('100 {{percent}} $t(title) <b>'), message('disk_full')]) {
      expect(messageText(one)).toBe(formatMessage(one));
    }
  });
});

describe('an error', () => {
  it('carries its message as data over the wire, and texts of others as text alone', () => {
    expect(errorBody(new AppError('invalid_request', nested))).toEqual({
      code: 'invalid_request',
      detail: formatMessage(nested),
      reason: nested,
    });
    expect(errorBody(new AppError('not_found', asWritten('Task not found')))).toEqual({
      code: 'not_found',
      detail: 'Task not found',
    });
  });

  it('that is unexpected is explained only in the log', () => {
    expect(reasonOf(new TypeError('x is not a function'))).toEqual(message('unforeseen'));
  });

  it('crosses threads with its message and fields', async () => {
    const error = new AppError('invalid_input', nested, { uri: 'is required' });
    const calls = new CallsUnderWay();
    const result = calls.make(
      async (call) =>
        calls.settle(
          structuredClone(
            await answer(call, () => {
              throw error;
            }),
          ),
        ),
      'read',
      [],
    );
    await expect(result).rejects.toMatchObject({
      code: 'invalid_input',
      reason: nested,
      fields: { uri: 'is required' },
    });
  });
});

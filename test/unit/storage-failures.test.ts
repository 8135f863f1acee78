import { readFile } from 'node:fs/promises';
import Database from 'better-sqlite3';
import { expect, it } from 'vitest';
import { AppError } from '../../src-main/contract/errors.ts';
import { asWritten } from '../../src-main/contract/messages.ts';
import { asAppError } from '../../src-main/infra/sqlite/open-database.ts';

const failure = (code: string) => Object.assign(new Error(`${code}: /home/me/secret`), { code });

it.each([
  ['EACCES', 'permission denied'],
  ['EPERM', 'permission denied'],
  ['EIO', 'disk failed'],
  ['SQLITE_IOERR_READ', 'disk failed'],
  ['ENOENT', 'is missing'],
  ['SQLITE_CANTOPEN', 'is missing'],
  ['EEXIST', 'Something else is in the place'],
  ['EMFILE', 'Too many files'],
  ['EROFS', 'cannot be written'],
  ['SQLITE_READONLY_DBMOVED', 'cannot be written'],
])('%s is reported in words, without a path', (code, words) => {
  const reported = asAppError(failure(code));
  expect(reported).toBeInstanceOf(AppError);
  expect(reported).toMatchObject({ code: 'storage_failed', message: expect.stringContaining(words) });
  expect(reported).not.toMatchObject({ message: expect.stringContaining('/home') });
});

it('keeps the cause for the log', async () => {
  const caught = await readFile('/nowhere/at/all').catch((error: unknown) => error as Error);
  const reported = asAppError(caught) as AppError;
  expect(reported.stack).toBe((caught as Error).stack);
});

it('returns known errors and other errors unchanged', () => {
  const others = [new AppError('conflict', asWritten('x')), new Error('y'), 'z', failure('SQLITE_CONSTRAINT_UNIQUE')];
  expect(others.map(asAppError)).toEqual(others);
  expect(asAppError(failure('SQLITE_FULL'))).toMatchObject({ code: 'disk_full' });
  expect(asAppError(new Database.SqliteError('x', 'SQLITE_CORRUPT_INDEX'))).toMatchObject({ code: 'damaged' });
});

import { expect, it } from 'vitest';
import { AppError, isDiskFull } from '../../src-main/contract/errors.ts';
import { asWritten } from '../../src-main/contract/messages.ts';

it.each(['ENOSPC', 'EDQUOT', 'SQLITE_FULL', 'SQLITE_IOERR_SHMSIZE'])('%s means that a disk is full', (code) => {
  expect(isDiskFull(Object.assign(new Error('no room'), { code }))).toBe(true);
});

it('so does an error that was converted before, and no other error', () => {
  expect(isDiskFull(new AppError('disk_full', asWritten('The disk for backups is full')))).toBe(true);
  const others = [
    new AppError('storage_failed', asWritten('')),
    Object.assign(new Error(), { code: 'ENOENT' }),
    'ENOSPC',
    undefined,
  ];
  expect(others.map(isDiskFull)).toEqual([false, false, false, false]);
});

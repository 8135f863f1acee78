import { workerData } from 'node:worker_threads';
import { AppError, isDiskFull } from '../../contract/errors.ts';
import { asAppError } from '../sqlite/open-database.ts';
import { serveThread } from '../threads/serve-thread.ts';
import type { BackupOwner, BackupStart } from './backup-messages.ts';
import { BackupReader } from './backup-reader.ts';
import { BackupWriter } from './backup-writer.ts';

/** All that the thread writes are backups. */
function asBackupError(caught: unknown): unknown {
  const error = asAppError(caught);
  return isDiskFull(error)
    ? new AppError('disk_full', 'The disk for backups is full. Free some space there, or choose another folder.')
    : error;
}

/** The entry of a thread that writes a backup or reads some. */
const owner: BackupOwner = serveThread<BackupOwner>({
  methods: () => [writer, reader],
  inOrder: true,
  asError: asBackupError,
  onClose: () => writer.close(),
});
const start = workerData as BackupStart;
const writer: BackupWriter = new BackupWriter(start, owner);
const reader: BackupReader = new BackupReader(start, owner);

import { workerData } from 'node:worker_threads';
import { serveThread } from '../threads/serve-thread.ts';
import { asBackupError } from './backup-error.ts';
import type { BackupOwner, BackupStart } from './backup-messages.ts';
import { BackupReader } from './backup-reader.ts';
import { BackupWriter } from './backup-writer.ts';

/** Entry of a thread that writes or reads backups. */
const owner: BackupOwner = serveThread<BackupOwner>({
  methods: () => [writer, reader],
  inOrder: true,
  // The thread writes only to backups.
  asError: asBackupError,
  onClose: () => writer.close(),
});
const start = workerData as BackupStart;
const writer: BackupWriter = new BackupWriter(start, owner);
const reader: BackupReader = new BackupReader(start, owner);

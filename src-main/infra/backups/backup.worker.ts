import { workerData } from 'node:worker_threads';
import { serveThread } from '../threads/serve-thread.ts';
import { type ServedMethods, serve } from '../threads/thread-port.ts';
import { asBackupError } from './backup-error.ts';
import { BACKUP_OWNER, BACKUP_READER, BACKUP_WRITER, type BackupOwner, type BackupStart } from './backup-messages.ts';
import { BackupReader } from './backup-reader.ts';
import { BackupWriter } from './backup-writer.ts';

/** Entry of a thread that writes or reads backups. */
const owner: BackupOwner = serveThread({
  methods: () => methods,
  owner: BACKUP_OWNER,
  inOrder: true,
  // The thread writes only to backups.
  asError: asBackupError,
  onClose: () => writer.close(),
});
const start = workerData as BackupStart;
const writer: BackupWriter = new BackupWriter(start, owner);
const methods: ServedMethods = {
  ...serve(BACKUP_WRITER, writer),
  ...serve(BACKUP_READER, new BackupReader(start, owner)),
};

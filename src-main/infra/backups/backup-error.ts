import { AppError, isDiskFull } from '../../contract/errors.ts';
import { message } from '../../contract/messages.ts';
import { asAppError } from '../sqlite/open-database.ts';

/** Converts an error that occurred while a backup was written. */
export function asBackupError(caught: unknown): unknown {
  const error = asAppError(caught);
  return isDiskFull(error) ? new AppError('disk_full', message('backup_disk_full')) : error;
}

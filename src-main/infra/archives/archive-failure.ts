import { AppError } from '../../contract/errors.ts';
import { type Message, message } from '../../contract/messages.ts';

/**
 * Converts an error that occurred while an archive was read to an error for the user. Errors that are already worded and cancellations are
 * returned unchanged; disk errors become `storage_failed`; all others are caused by the archive and become `invalid_request`.
 */
export function archiveFailure(error: unknown): unknown {
  if (error instanceof AppError) return error;
  if (!(error instanceof Error) || error.name === 'AbortError') return error;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if ('syscall' in error) return new AppError('storage_failed', message('archive_unreadable'));
  return new AppError('invalid_request', detailOf(error.message, code));
}

function detailOf(detail: string, code: string): Message {
  if (/strong encryption|encrypted/i.test(detail)) return message('archive_encrypted');
  if (/absolute path/.test(detail)) return message('archive_path_absolute', { name: rest(detail) });
  if (/invalid relative path/.test(detail)) return message('archive_path_outside', { name: rest(detail) });
  if (/End of central directory record signature not found/.test(detail)) return message('zip_directory_missing');
  if (/Invalid comment length/.test(detail)) return message('zip_end_damaged');
  if (/multi-disk/.test(detail)) return message('archive_split');
  if (/size mismatch|too many bytes|not enough bytes/.test(detail)) return message('archive_size_differs', { detail });
  if (/Unexpected end of data|unexpected EOF|unexpected end of file|overflows file bounds/i.test(detail)) {
    return message('archive_truncated');
  }
  if (/tar header|Invalid header|Header exceeds/.test(detail)) return message('tar_header_damaged');
  if (code.startsWith('Z_')) return message('archive_data_damaged', { detail });
  return message('archive_damaged', { detail });
}

/** Returns the name at the end of a message of the zip library. */
function rest(detail: string): string {
  return JSON.stringify(detail.slice(detail.indexOf(': ') + 2, 200));
}

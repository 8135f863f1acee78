import { AppError } from '../../contract/errors.ts';

/**
 * Converts an error that occurred while an archive was read to an error for the user. Errors that are already worded and cancellations are
 * returned unchanged; disk errors become `storage_failed`; all others are caused by the archive and become `invalid_request`.
 */
export function archiveFailure(error: unknown): unknown {
  if (error instanceof AppError) return error;
  if (!(error instanceof Error) || error.name === 'AbortError') return error;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if ('syscall' in error) return new AppError('storage_failed', 'The archive could not be read');
  return new AppError('invalid_request', detailOf(error.message, code));
}

function detailOf(message: string, code: string): string {
  if (/strong encryption|encrypted/i.test(message)) return 'The archive is encrypted; give it without a password';
  if (/absolute path/.test(message)) return `The archive holds an absolute path: ${rest(message)}`;
  if (/invalid relative path/.test(message))
    return `The archive holds a path that leads outside of it: ${rest(message)}`;
  if (/End of central directory record signature not found/.test(message)) {
    return 'The zip archive is damaged or truncated: its directory is missing';
  }
  if (/Invalid comment length/.test(message)) {
    return 'The zip archive is damaged or truncated: there are extra bytes at its end, or its comment is cut off';
  }
  if (/multi-disk/.test(message)) return 'The zip archive is split into several parts; give it as one file';
  if (/size mismatch|too many bytes|not enough bytes/.test(message)) {
    return `The archive is damaged: a file is not as long as it says (${message})`;
  }
  if (/Unexpected end of data|unexpected EOF|unexpected end of file|overflows file bounds/i.test(message)) {
    return 'The archive is damaged or truncated: it ends too early';
  }
  if (/tar header|Invalid header|Header exceeds/.test(message))
    return 'The tar archive is damaged: a header is not valid';
  if (code.startsWith('Z_')) return `The archive is damaged: its compressed data is not valid (${message})`;
  return `The archive is damaged (${message})`;
}

/** Returns the name at the end of a message of the zip library. */
function rest(message: string): string {
  return JSON.stringify(message.slice(message.indexOf(': ') + 2, 200));
}

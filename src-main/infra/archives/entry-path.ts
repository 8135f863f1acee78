import { AppError } from '../../contract/errors.ts';
import { message } from '../../contract/messages.ts';
import { EntryProblem } from './archive-entry.ts';

/** Maximum length of a path in characters. */
const MAX_PATH = 4096;
/**
 * Converts a name from an archive to a relative path with `/` between its parts; '' for the archive's root. Backslashes also separate
 * parts, because some Windows programs write them.
 * @throws AppError `invalid_request` for names that lead outside (`..`), absolute names (`/x`, `C:\x`) and paths that are too long or deep.
 */
export function toEntryPath(name: string, maxDepth: number): string {
  if (/^[/\\]/.test(name) || /^[a-z]:[/\\]/i.test(name)) {
    throw new AppError('invalid_request', message('archive_path_absolute', { name: shownName(name) }));
  }
  const parts = name.split(/[/\\]/).filter((part) => part !== '' && part !== '.');
  if (parts.includes('..')) {
    throw new AppError('invalid_request', message('archive_path_outside', { name: shownName(name) }));
  }
  if (parts.length > maxDepth) {
    const detail = message('archive_path_too_deep', { limit: maxDepth, name: shownName(name) });
    throw new AppError('invalid_request', detail);
  }
  const path = withoutControls(parts.join('/'));
  if (path.length > MAX_PATH) {
    throw new AppError('invalid_request', message('archive_path_too_long', { name: shownName(name) }));
  }
  return path;
}

/** Checks the name of a file inside the archive; null for a valid name. */
export function nameProblem(path: string): EntryProblem | null {
  if (path === '') return new EntryProblem('unsupported', message('archive_entry_without_name'));
  if (!/^[a-z]:/i.test(path)) return null;
  return new EntryProblem('unsupported', message('archive_entry_on_drive', { name: shownName(path) }));
}

/** Converts a name from an archive so that it can be shown in a message. */
export function shownName(name: string): string {
  const plain = withoutControls(name);
  return `"${plain.length > 120 ? `${plain.slice(0, 100)}…` : plain}"`;
}

function withoutControls(text: string): string {
  return text.replace(/\p{Cc}/gu, '_');
}

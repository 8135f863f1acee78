import { AppError } from '../../contract/errors.ts';
import { EntryProblem } from './archive-entry.ts';

/** Longest path kept, in characters. */
const MAX_PATH = 4096;
/**
 * The relative path that an archive's name stands for, with `/` between its parts; '' for the archive's own root. Backslashes separate
 * too: some Windows programs write them.
 * @throws AppError `invalid_request` for names that lead outside (`..`), absolute names (`/x`, `C:\x`) and paths that are too long or deep.
 */
export function toEntryPath(name: string, maxDepth: number): string {
  if (/^[/\\]/.test(name) || /^[a-z]:[/\\]/i.test(name)) {
    throw new AppError('invalid_request', `The archive holds an absolute path: ${shownName(name)}`);
  }
  const parts = name.split(/[/\\]/).filter((part) => part !== '' && part !== '.');
  if (parts.includes('..')) {
    throw new AppError('invalid_request', `The archive holds a path that leads outside of it: ${shownName(name)}`);
  }
  if (parts.length > maxDepth) {
    throw new AppError(
      'invalid_request',
      `The archive nests folders deeper than ${maxDepth} levels: ${shownName(name)}`,
    );
  }
  const path = withoutControls(parts.join('/'));
  if (path.length > MAX_PATH)
    throw new AppError('invalid_request', `The archive holds a path that is too long: ${shownName(name)}`);
  return path;
}

/** What is wrong with the name of a file that stays inside the archive; null for nothing. */
export function nameProblem(path: string): EntryProblem | null {
  if (path === '') return new EntryProblem('unsupported', 'The archive holds a file without a name');
  if (!/^[a-z]:/i.test(path)) return null;
  return new EntryProblem('unsupported', `The name begins like the absolute path of a drive: ${shownName(path)}`);
}

/** A name from an archive, fit for a message. */
export function shownName(name: string): string {
  const plain = withoutControls(name);
  return `"${plain.length > 120 ? `${plain.slice(0, 100)}…` : plain}"`;
}

function withoutControls(text: string): string {
  return text.replace(/\p{Cc}/gu, '_');
}

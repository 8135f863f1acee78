import { dictionary } from '@zxcvbn-ts/language-common';
import { AppError } from '../../contract/errors.ts';

/** Number of passwords, by frequency, that are refused. */
const N_COMMON = 10_000;
/** In lower case. */
const COMMON: ReadonlySet<string> = new Set(dictionary['passwords-common'].slice(0, N_COMMON));

/** @throws AppError `invalid_input` for a new password that is easily guessed: a common one, the username, or blanks only. */
export function assertGoodPassword(password: string, username: string): void {
  const problem = problemOf(password.trim().toLowerCase(), username.trim().toLowerCase());
  if (problem !== undefined) throw new AppError('invalid_input', `password: ${problem}`, { password: problem });
}

function problemOf(password: string, username: string): string | undefined {
  if (password === '') return 'must not consist of spaces';
  if (password === username || password === username.split('@', 1)[0]) return 'must not be the username';
  if (COMMON.has(password)) return 'is one of the most common passwords; choose another';
  return undefined;
}

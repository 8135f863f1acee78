import { dictionary } from '@zxcvbn-ts/language-common';
import { AppError } from '../../contract/errors.ts';

/** Number of most frequent passwords that are rejected. */
const N_COMMON = 10_000;
/** Lower case. */
const COMMON: ReadonlySet<string> = new Set(dictionary['passwords-common'].slice(0, N_COMMON));

/** @throws AppError `invalid_input` for a new password that is easily guessed: a common one, the username, or only spaces. */
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

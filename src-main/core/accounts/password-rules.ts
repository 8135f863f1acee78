import { AppError } from '../../contract/errors.ts';

/** Number of most frequent passwords that are rejected. */
const N_COMMON = 10_000;
/** Lower case. Loaded with the first new password: unpacking the list takes longer than many a request. */
let common: ReadonlySet<string> | undefined;

/** @throws AppError `invalid_input` for a new password that is easily guessed: a common one, the username, or only spaces. */
export async function assertGoodPassword(password: string, username: string): Promise<void> {
  common ??= await loadCommon();
  const problem = problemOf(common, password.trim().toLowerCase(), username.trim().toLowerCase());
  if (problem !== undefined) throw new AppError('invalid_input', `password: ${problem}`, { password: problem });
}

function problemOf(common: ReadonlySet<string>, password: string, username: string): string | undefined {
  if (password === '') return 'must not consist of spaces';
  if (password === username || password === username.split('@', 1)[0]) return 'must not be the username';
  if (common.has(password)) return 'is one of the most common passwords; choose another';
  return undefined;
}

async function loadCommon(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  return new Set(dictionary['passwords-common'].slice(0, N_COMMON));
}

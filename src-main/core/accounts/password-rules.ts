import { invalidField } from '../../contract/errors.ts';
import { type Message, message } from '../../contract/messages.ts';

/** Number of most frequent passwords that are rejected. */
const N_COMMON = 10_000;
/** Lower case. Loaded with the first new password: unpacking the list takes longer than many a request. */
let common: ReadonlySet<string> | undefined;

/** @throws AppError `invalid_input` for a new password that is easily guessed: a common one, the username, or only spaces. */
export async function assertGoodPassword(password: string, username: string): Promise<void> {
  common ??= await loadCommon();
  const problem = problemOf(common, password.trim().toLowerCase(), username.trim().toLowerCase());
  if (problem !== undefined) throw invalidField('password', problem);
}

function problemOf(common: ReadonlySet<string>, password: string, username: string): Message | undefined {
  if (password === '') return message('password_of_spaces');
  if (password === username || password === username.split('@', 1)[0]) return message('password_is_username');
  if (common.has(password)) return message('password_common');
  return undefined;
}

async function loadCommon(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  return new Set(dictionary['passwords-common'].slice(0, N_COMMON));
}

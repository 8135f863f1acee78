import { hash, verify } from '@node-rs/argon2';
import { AppError } from '../../contract/errors.ts';
import { message } from '../../contract/messages.ts';

/** Parameters of argon2id (the library's default algorithm): the first set that OWASP's Password Storage Cheat Sheet recommends. */
const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
/** Maximum number of concurrent hashes. Each takes 19 MiB and a thread of the pool that also reads files. */
const AT_ONCE = 2;
const MAX_WAITING = 50;

/** Hash that belongs to no account: checking a password against it takes as long as checking it against an account's hash. */
const NOBODY = hash('nobody', PARAMETERS);

let nRunning = 0;
const waiting: (() => void)[] = [];

/** Returns a hash with its salt and parameters, as text. @throws AppError `too_many_requests`. */
export function hashPassword(password: string): Promise<string> {
  return inTurn(() => hash(password, PARAMETERS));
}

/** @param hashed null for an account that has no password or does not exist. @throws AppError `too_many_requests`. */
export async function verifyPassword(hashed: string | null, password: string): Promise<boolean> {
  const expected = hashed ?? (await NOBODY);
  const fits = await inTurn(() => verify(expected, password));
  return fits && hashed !== null;
}

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (nRunning >= AT_ONCE) {
    if (waiting.length >= MAX_WAITING) throw new AppError('too_many_requests', message('too_many_logins'));
    await new Promise<void>((begin) => waiting.push(begin));
  } else nRunning += 1;
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    if (next) next();
    else nRunning -= 1;
  }
}

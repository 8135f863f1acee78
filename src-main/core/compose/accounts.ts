import { Authenticator } from '../accounts/authenticator.ts';
import type { Platform } from './platform.ts';

/** Who calls, and by what they prove it. */
export type Accounts = ReturnType<typeof composeAccounts>;

export function composeAccounts({ mode, owner }: Platform) {
  const authenticator = new Authenticator({ mode, owner });
  return { authenticator };
}

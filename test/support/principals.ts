import { ANONYMOUS, type CallContext, type Principal } from '../../src-main/core/core.ts';

const UNKNOWN = '00000000-0000-4000-8000-000000000000';

/** Returns a signed-in principal, by default without workspace and roles. */
export function principal(fields: Partial<Principal> = {}): Principal {
  return {
    ...ANONYMOUS,
    user_id: UNKNOWN,
    email: 'stranger@localhost',
    name: 'Stranger',
    ...fields,
  };
}

/** Returns the context of a call by a principal, as the adapters pass it to the core. */
export function callBy(caller: Principal, fields: Partial<CallContext> = {}): CallContext {
  return {
    principal: caller,
    signal: new AbortController().signal,
    baseUrl: 'http://127.0.0.1:2080',
    address: '127.0.0.1',
    client: 'test',
    ...fields,
  };
}

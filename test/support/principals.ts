import type { CallContext, Principal } from '../../src-main/core/core.ts';

const UNKNOWN = '00000000-0000-4000-8000-000000000000';

/** Somebody who is signed in: a stranger without a workspace and without roles, but for what is said. */
export function principal(said: Partial<Principal> = {}): Principal {
  return {
    user_id: UNKNOWN,
    email: 'stranger@localhost',
    name: 'Stranger',
    workspace_id: null,
    role: null,
    in_primary_workspace: false,
    realm_roles: [],
    session_id: null,
    token_until_ms: null,
    is_local_owner: false,
    must_change_password: false,
    ...said,
  };
}

/** A call of somebody, as the adapters hand it on. */
export function callBy(caller: Principal, said: Partial<CallContext> = {}): CallContext {
  return {
    principal: caller,
    signal: new AbortController().signal,
    baseUrl: 'http://127.0.0.1:2080',
    address: '127.0.0.1',
    client: 'test',
    ...said,
  };
}

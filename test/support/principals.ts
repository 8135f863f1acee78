import type { CallContext, Principal } from '../../src-main/core/core.ts';

const UNKNOWN = '00000000-0000-4000-8000-000000000000';

/** Returns a signed-in principal, by default without workspace and roles. */
export function principal(fields: Partial<Principal> = {}): Principal {
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

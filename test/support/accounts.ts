import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { SignJWT } from 'jose';
import type { RealmRole, WorkspaceRole } from '../../src-main/contract/permissions.ts';
import { hashPassword } from '../../src-main/core/accounts/password.ts';
import { Api } from './api.ts';

/** Environment of a server with accounts. */
export const WITH_ACCOUNTS = { DISABLE_AUTH: 'false', RUN_MODE: 'ONPREM' };
export const PASSWORD = 'correct horse';

export interface TestAccount {
  user_id: string;
  idp_user_id: string;
  username: string;
}

let hashed: Promise<string> | undefined;

/** Writes an account straight into the server's catalog, with {@link PASSWORD} and a role in the primary workspace (null: no member). */
export async function addAccount(
  data: string,
  fields: { username: string; role: WorkspaceRole | null; realm_roles?: RealmRole[]; enabled?: boolean },
): Promise<TestAccount> {
  hashed ??= hashPassword(PASSWORD);
  const of = { user_id: randomUUID(), idp_user_id: randomUUID(), username: fields.username };
  const at = new Date().toISOString();
  const row = { ...of, at, hash: await hashed, enabled: fields.enabled === false ? 0 : 1 };
  const catalog = new Database(join(data, 'catalog.db'));
  const run = (sql: string, parameters: object) => catalog.prepare(sql).run(parameters);
  catalog.transaction(() => {
    run(
      `INSERT INTO idp_user (idp_user_id, username, verified_email, first_name, last_name, enabled, password_hash, password_is_temporary, created_at)
       VALUES (:idp_user_id, :username, iif(instr(:username, '@'), :username, NULL), 'First', 'Last', :enabled, :hash, 0, :at)`,
      row,
    );
    run(
      `INSERT INTO user (user_id, email, name, created_at, idp_user_id)
       VALUES (:user_id, :username || '@localhost', 'First Last', :at, :idp_user_id)`,
      row,
    );
    if (fields.role !== null) {
      run(
        `INSERT INTO workspace_member SELECT workspace_id, :user_id, :role, :at FROM workspace ORDER BY created_at, rowid LIMIT 1`,
        { ...row, role: fields.role },
      );
    }
    for (const role of fields.realm_roles ?? [])
      run('INSERT INTO idp_role VALUES (:idp_user_id, :role)', { ...row, role });
  })();
  catalog.close();
  return of;
}

/** Returns the cookie that a response sets, in the form that a browser sends back; undefined if it sets none. */
export function cookieOf(headers: Headers): string | undefined {
  return headers.getSetCookie()[0]?.split(';')[0];
}

/** Signs in and returns the session cookie. */
export async function beginSession(api: Api, username: string, password = PASSWORD): Promise<string> {
  const answer = await api.call('POST', '/login', json({ username, password }));
  const cookie = cookieOf(answer.headers);
  if (answer.status !== 200 || cookie === undefined)
    throw new Error(`the login answered ${answer.status}: ${answer.text}`);
  return cookie;
}

/** Signs in and returns an API client that sends the session cookie. */
export async function signIn(api: Api, username: string, password = PASSWORD): Promise<Api> {
  return new Api(api.baseUrl, { cookie: await beginSession(api, username, password) });
}

export function json(body: unknown): RequestInit {
  return { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
}

/** Signs a token as described in interface section 5. */
export function signToken(
  credential: { api_key: string; api_secret: string },
  lifetimeS = 600,
  nowMs = Date.now(),
): Promise<string> {
  const { api_key, api_secret } = credential;
  const now = Math.floor(nowMs / 1000);
  return new SignJWT({ sub: api_key, iat: now, exp: now + lifetimeS, iss: 'sdk' })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT', kid: api_key })
    .sign(new TextEncoder().encode(api_secret));
}

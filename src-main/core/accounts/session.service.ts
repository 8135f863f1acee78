import { hash, randomBytes } from 'node:crypto';
import type { BegunSession } from '../../contract/operation.ts';
import type { Caller } from '../core.ts';
import type { Clock, Ids } from '../ports/clock.ts';
import type { SettingsService } from '../settings/settings.service.ts';
import type { SessionLimits, SessionRepository, SessionRow } from './session.repository.ts';

const TOKEN_BYTES = 32;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** A use is written down so often. */
export const TOUCH_MS = MINUTE_MS;
/** Of one account; the one that was not used for longest gives way. */
const MOST = 100;
const CLIENT_LETTERS = 300;

export interface SessionParts {
  sessions: SessionRepository;
  settings: Pick<SettingsService, 'number'>;
  clock: Clock;
  ids: Ids;
}

/** Sessions of people who signed in. All is synchronous, and joins the caller's transaction. */
export class SessionService {
  readonly #parts: SessionParts;

  constructor(parts: SessionParts) {
    this.#parts = parts;
  }

  /** A new session with a token of its own: what the caller had before is worth nothing for it. */
  begin(idpUserId: string, { address, client }: Caller): BegunSession['session'] & { session_id: string } {
    const { sessions, settings, clock, ids } = this.#parts;
    const token = randomBytes(TOKEN_BYTES).toString('base64url');
    const now = clock.now();
    const at = new Date(now).toISOString();
    const row: SessionRow = {
      session_id: ids.uuid(),
      token_hash: hashOf(token),
      idp_user_id: idpUserId,
      ip_address: address,
      client: client.slice(0, CLIENT_LETTERS),
      started_at: at,
      last_access_at: at,
      expires_at: new Date(now + settings.number('SESSION_HOURS') * HOUR_MS).toISOString(),
    };
    sessions.deleteOld(this.#limits());
    sessions.insert(row);
    sessions.deleteBeyond(idpUserId, MOST);
    return { session_id: row.session_id, token, expires_at: row.expires_at };
  }

  /** The session of a token, while it lasts; notes that it was used. */
  find(token: string): SessionRow | undefined {
    const { sessions, clock } = this.#parts;
    const row = sessions.find(hashOf(token));
    if (!row) return undefined;
    if (this.#isOver(row)) {
      sessions.delete(row.session_id);
      return undefined;
    }
    if (clock.now() - Date.parse(row.last_access_at) >= TOUCH_MS) sessions.touch(row.session_id, clock.iso());
    return row;
  }

  /** Whether a session goes on; asking is no use of it. */
  lasts(sessionId: string): boolean {
    const row = this.#parts.sessions.get(sessionId);
    return row !== undefined && !this.#isOver(row);
  }

  /** Of one account, the one that was used last first. */
  listOf(idpUserId: string): SessionRow[] {
    const { sessions } = this.#parts;
    sessions.deleteOld(this.#limits());
    return sessions.listOf(idpUserId);
  }

  /** Returns whether there was one. */
  end(sessionId: string): boolean {
    return this.#parts.sessions.delete(sessionId);
  }

  /** @param except A session that goes on. @returns The ids of those that ended. */
  endAllOf(idpUserId: string, except: string | null = null): string[] {
    return this.#parts.sessions.deleteAllOf(idpUserId, except);
  }

  #isOver({ expires_at, last_access_at, started_at }: SessionRow): boolean {
    const { now, used_by, begun_by } = this.#limits();
    return expires_at <= now || last_access_at <= used_by || started_at <= begun_by;
  }

  /** By the settings as they are now: who allows less time ends sessions that had more. */
  #limits(): SessionLimits {
    const { settings, clock } = this.#parts;
    const now = clock.now();
    const before = (ms: number) => new Date(now - ms).toISOString();
    return {
      now: before(0),
      used_by: before(settings.number('SESSION_IDLE_MINUTES') * MINUTE_MS),
      begun_by: before(settings.number('SESSION_HOURS') * HOUR_MS),
    };
  }
}

function hashOf(token: string): string {
  return hash('sha256', token, 'base64url');
}

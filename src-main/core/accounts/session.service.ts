import { hash, randomBytes } from 'node:crypto';
import type { StartedSession } from '../../contract/operation.ts';
import type { Caller } from '../core.ts';
import type { Clock, Ids } from '../ports/clock.ts';
import type { SettingsService } from '../settings/settings.service.ts';
import type { SessionLimits, SessionRepository, SessionRow } from './session.repository.ts';

const TOKEN_BYTES = 32;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Minimum interval between writes of a session's last use, in milliseconds. */
export const TOUCH_MS = MINUTE_MS;
/** Maximum time by which a session may have started in the future: the clock was set back. Others were started by a wrong clock. */
const MAX_CLOCK_CHANGE_MS = 24 * HOUR_MS;
/** Maximum number of sessions per account; the least recently used one is ended. */
const MAX_SESSIONS = 100;
const CLIENT_LETTERS = 300;

export interface SessionParts {
  sessions: SessionRepository;
  settings: Pick<SettingsService, 'number'>;
  clock: Clock;
  ids: Ids;
}

/** Sessions of signed-in users. All methods are synchronous and join the caller's transaction. */
export class SessionService {
  readonly #parts: SessionParts;

  constructor(parts: SessionParts) {
    this.#parts = parts;
  }

  /** Starts a session with a new token; a token that the caller had before does not give access to it. */
  begin(idpUserId: string, { address, client }: Caller): StartedSession['session'] & { session_id: string } {
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
    sessions.deleteBeyond(idpUserId, MAX_SESSIONS);
    return { session_id: row.session_id, token, expires_at: row.expires_at };
  }

  /** Returns the session of a token while it is valid, and records the use. */
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

  /** Whether a session is still valid. The check does not count as a use. */
  lasts(sessionId: string): boolean {
    const row = this.#parts.sessions.get(sessionId);
    return row !== undefined && !this.#isOver(row);
  }

  /** Sessions of one account, most recently used first. */
  listOf(idpUserId: string): SessionRow[] {
    const { sessions } = this.#parts;
    sessions.deleteOld(this.#limits());
    return sessions.listOf(idpUserId);
  }

  /** @returns Whether the session existed. */
  end(sessionId: string): boolean {
    return this.#parts.sessions.delete(sessionId);
  }

  /** @param except Id of a session that continues. @returns The ids of the ended sessions. */
  endAllOf(idpUserId: string, except: string | null = null): string[] {
    return this.#parts.sessions.deleteAllOf(idpUserId, except);
  }

  #isOver({ expires_at, last_access_at, started_at }: SessionRow): boolean {
    const { now, used_by, begun_by, not_begun } = this.#limits();
    return expires_at <= now || last_access_at <= used_by || started_at <= begun_by || started_at > not_begun;
  }

  /** Limits from the current settings: shortening a limit also ends existing sessions. */
  #limits(): SessionLimits {
    const { settings, clock } = this.#parts;
    const now = clock.now();
    const before = (ms: number) => new Date(now - ms).toISOString();
    return {
      now: before(0),
      used_by: before(settings.number('SESSION_IDLE_MINUTES') * MINUTE_MS),
      begun_by: before(settings.number('SESSION_HOURS') * HOUR_MS),
      not_begun: before(-MAX_CLOCK_CHANGE_MS),
    };
  }
}

function hashOf(token: string): string {
  return hash('sha256', token, 'base64url');
}

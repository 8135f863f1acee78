import type { Catalog } from '../ports/catalog.ts';

export interface SessionRow {
  session_id: string;
  token_hash: string;
  idp_user_id: string;
  ip_address: string;
  client: string;
  started_at: string;
  last_access_at: string;
  /** Latest end of the session, regardless of use. */
  expires_at: string;
}

/** The limits at which sessions end: they expire now, or were last used or started at or before a time. */
export interface SessionLimits {
  now: string;
  used_by: string;
  begun_by: string;
  not_begun: string;
}

/** Sessions, stored by the hash of their token. */
export class SessionRepository {
  readonly #catalog: Catalog;

  constructor(catalog: Catalog) {
    this.#catalog = catalog;
  }

  insert(row: SessionRow): void {
    this.#catalog.run(
      `INSERT INTO session (session_id, token_hash, idp_user_id, ip_address, client, started_at, last_access_at, expires_at)
       VALUES (:session_id, :token_hash, :idp_user_id, :ip_address, :client, :started_at, :last_access_at, :expires_at)`,
      { ...row },
    );
  }

  find(tokenHash: string): SessionRow | undefined {
    return this.#catalog.find('SELECT * FROM session WHERE token_hash = :token_hash', { token_hash: tokenHash });
  }

  get(sessionId: string): SessionRow | undefined {
    return this.#catalog.find('SELECT * FROM session WHERE session_id = :session_id', { session_id: sessionId });
  }

  /** Newest first. */
  listOf(idpUserId: string): SessionRow[] {
    return this.#catalog.all(
      'SELECT * FROM session WHERE idp_user_id = :idp_user_id ORDER BY last_access_at DESC, rowid DESC',
      { idp_user_id: idpUserId },
    );
  }

  touch(sessionId: string, at: string): void {
    this.#catalog.transaction(() => {
      const of = { session_id: sessionId, at };
      this.#catalog.run('UPDATE session SET last_access_at = :at WHERE session_id = :session_id', of);
      this.#catalog.run(
        `UPDATE idp_user SET last_access_at = :at
         WHERE idp_user_id = (SELECT idp_user_id FROM session WHERE session_id = :session_id)`,
        of,
      );
    });
  }

  /** @returns Whether the session existed. */
  delete(sessionId: string): boolean {
    return (
      this.#catalog.run('DELETE FROM session WHERE session_id = :session_id', { session_id: sessionId }).changes > 0
    );
  }

  /** @returns The ids of the deleted sessions. */
  deleteAllOf(idpUserId: string, except: string | null): string[] {
    const of = { idp_user_id: idpUserId, except };
    const those = 'FROM session WHERE idp_user_id = :idp_user_id AND session_id IS NOT :except';
    const rows = this.#catalog.all<Pick<SessionRow, 'session_id'>>(`SELECT session_id ${those}`, of);
    this.#catalog.run(`DELETE ${those}`, of);
    return rows.map(({ session_id }) => session_id);
  }

  /** Deletes sessions that have ended. */
  deleteOld(limits: SessionLimits): void {
    this.#catalog.run(
      `DELETE FROM session WHERE expires_at <= :now OR last_access_at <= :used_by OR started_at <= :begun_by
         OR started_at > :not_begun`,
      { ...limits },
    );
  }

  deleteBeyond(idpUserId: string, most: number): void {
    this.#catalog.run(
      `DELETE FROM session WHERE session_id IN (
         SELECT session_id FROM session WHERE idp_user_id = :idp_user_id ORDER BY last_access_at DESC, rowid DESC LIMIT -1 OFFSET :most)`,
      { idp_user_id: idpUserId, most },
    );
  }
}

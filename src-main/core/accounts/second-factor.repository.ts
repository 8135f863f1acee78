import type { Catalog } from '../ports/catalog.ts';

export interface SecondFactorRow {
  /** Encrypted. */
  secret: string;
  /** null until a first code was confirmed. */
  confirmed_at: string | null;
  /** Time step of the last accepted code. */
  last_step: number;
}

/** Second factors and recovery codes of accounts. */
export class SecondFactorRepository {
  readonly #catalog: Catalog;

  constructor(catalog: Catalog) {
    this.#catalog = catalog;
  }

  find(idpUserId: string): SecondFactorRow | undefined {
    return this.#catalog.find(
      'SELECT secret, confirmed_at, last_step FROM second_factor WHERE idp_user_id = :idp_user_id',
      { idp_user_id: idpUserId },
    );
  }

  /** Stores an unconfirmed secret in place of another unconfirmed one. */
  start(idpUserId: string, secret: string): void {
    this.#catalog.run(
      `INSERT INTO second_factor VALUES (:idp_user_id, :secret, NULL, 0)
       ON CONFLICT (idp_user_id) DO UPDATE SET secret = excluded.secret WHERE confirmed_at IS NULL`,
      { idp_user_id: idpUserId, secret },
    );
  }

  confirm(idpUserId: string, at: string, codeHashes: readonly string[]): void {
    this.#catalog.run('UPDATE second_factor SET confirmed_at = :at WHERE idp_user_id = :idp_user_id', {
      idp_user_id: idpUserId,
      at,
    });
    for (const codeHash of codeHashes) {
      this.#catalog.run('INSERT INTO recovery_code VALUES (:idp_user_id, :code_hash)', {
        idp_user_id: idpUserId,
        code_hash: codeHash,
      });
    }
  }

  /**
   * Records the time step of an accepted code.
   * @param latest Latest step that is acceptable now. A later recorded step is ignored: it was recorded while the clock was wrong.
   * @returns False if a code of this step or a later one was accepted before.
   */
  spendStep(idpUserId: string, step: number, latest: number): boolean {
    const { changes } = this.#catalog.run(
      `UPDATE second_factor SET last_step = :step
       WHERE idp_user_id = :idp_user_id AND (last_step < :step OR last_step > :latest)`,
      { idp_user_id: idpUserId, step, latest },
    );
    return changes > 0;
  }

  /** Deletes a recovery code. @returns Whether it existed. */
  spendRecoveryCode(idpUserId: string, codeHash: string): boolean {
    const { changes } = this.#catalog.run(
      'DELETE FROM recovery_code WHERE idp_user_id = :idp_user_id AND code_hash = :code_hash',
      { idp_user_id: idpUserId, code_hash: codeHash },
    );
    return changes > 0;
  }

  countRecoveryCodes(idpUserId: string): number {
    const row = this.#catalog.find<{ n: number }>(
      'SELECT count(*) AS n FROM recovery_code WHERE idp_user_id = :idp_user_id',
      { idp_user_id: idpUserId },
    );
    return row?.n ?? 0;
  }

  /** @returns Whether there was one. */
  delete(idpUserId: string): boolean {
    const { changes } = this.#catalog.run('DELETE FROM second_factor WHERE idp_user_id = :idp_user_id', {
      idp_user_id: idpUserId,
    });
    return changes > 0;
  }
}

import type { Passkey } from '../../contract/schemas/account.ts';
import type { Catalog } from '../ports/catalog.ts';

export interface PasskeyRow extends Passkey {
  idp_user_id: string;
  /** COSE key in base64url. */
  public_key: string;
  /** Number of signatures that the authenticator reported. */
  counter: number;
  /** JSON array. */
  transports: string;
}

/** Passkeys of accounts. */
export class PasskeyRepository {
  readonly #catalog: Catalog;

  constructor(catalog: Catalog) {
    this.#catalog = catalog;
  }

  hasAny(): boolean {
    return this.#catalog.find('SELECT 1 FROM passkey LIMIT 1') !== undefined;
  }

  find(passkeyId: string): PasskeyRow | undefined {
    return this.#catalog.find('SELECT * FROM passkey WHERE passkey_id = :passkey_id', { passkey_id: passkeyId });
  }

  listOf(idpUserId: string): PasskeyRow[] {
    return this.#catalog.all('SELECT * FROM passkey WHERE idp_user_id = :idp_user_id ORDER BY created_at, passkey_id', {
      idp_user_id: idpUserId,
    });
  }

  insert(row: PasskeyRow): void {
    this.#catalog.run(
      `INSERT INTO passkey VALUES (:passkey_id, :idp_user_id, :public_key, :counter, :transports, :name, :created_at, :last_used_at)`,
      { ...row },
    );
  }

  noteUse(passkeyId: string, counter: number, at: string): void {
    this.#catalog.run('UPDATE passkey SET counter = :counter, last_used_at = :at WHERE passkey_id = :passkey_id', {
      passkey_id: passkeyId,
      counter,
      at,
    });
  }

  /** @returns Whether the account had it. */
  delete(idpUserId: string, passkeyId: string): boolean {
    const { changes } = this.#catalog.run(
      'DELETE FROM passkey WHERE idp_user_id = :idp_user_id AND passkey_id = :passkey_id',
      { idp_user_id: idpUserId, passkey_id: passkeyId },
    );
    return changes > 0;
  }
}

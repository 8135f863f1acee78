import type { ApiCredential } from '../../contract/schemas/account.ts';
import type { Catalog } from '../ports/catalog.ts';

export interface CredentialRow extends ApiCredential {
  user_id: string;
  /** Encrypted. */
  secret: string;
}

/** API keys. */
export class CredentialRepository {
  readonly #catalog: Catalog;

  constructor(catalog: Catalog) {
    this.#catalog = catalog;
  }

  insert(row: CredentialRow): void {
    this.#catalog.run(
      `INSERT INTO api_credential (api_key, user_id, name, secret, created_at, last_used_at)
       VALUES (:api_key, :user_id, :name, :secret, :created_at, :last_used_at)`,
      { ...row },
    );
  }

  find(apiKey: string): CredentialRow | undefined {
    return this.#catalog.find('SELECT * FROM api_credential WHERE api_key = :api_key', { api_key: apiKey });
  }

  /** Newest first. */
  listOf(userId: string): ApiCredential[] {
    return this.#catalog.all(
      `SELECT api_key, name, created_at, last_used_at FROM api_credential
       WHERE user_id = :user_id ORDER BY created_at DESC, rowid DESC`,
      { user_id: userId },
    );
  }

  noteUse(apiKey: string, at: string): void {
    this.#catalog.run('UPDATE api_credential SET last_used_at = :at WHERE api_key = :api_key', { api_key: apiKey, at });
  }

  /** @returns Whether the user had this key. */
  delete(apiKey: string, userId: string): boolean {
    const { changes } = this.#catalog.run(
      'DELETE FROM api_credential WHERE api_key = :api_key AND user_id = :user_id',
      { api_key: apiKey, user_id: userId },
    );
    return changes > 0;
  }
}

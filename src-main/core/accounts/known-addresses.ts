import type { Catalog } from '../ports/catalog.ts';
import type { Clock } from '../ports/clock.ts';

/** Maximum number of remembered addresses per account; the oldest is dropped first. */
const MAX_ADDRESSES = 20;

/** Remembers the addresses from which accounts have signed in. */
export class KnownAddresses {
  readonly #catalog: Catalog;
  readonly #clock: Clock;

  constructor(catalog: Catalog, clock: Clock) {
    this.#catalog = catalog;
    this.#clock = clock;
  }

  has(username: string, address: string): boolean {
    const known = this.#catalog.find(
      `SELECT 1 FROM login_address JOIN idp_user USING (idp_user_id) WHERE username = :username AND address = :address`,
      { username, address },
    );
    return known !== undefined;
  }

  add(username: string, address: string): void {
    const of = { username, address, at: this.#clock.iso(), max: MAX_ADDRESSES };
    this.#catalog.transaction(() => {
      this.#catalog.run(
        `INSERT INTO login_address SELECT idp_user_id, :address, :at FROM idp_user WHERE username = :username
         ON CONFLICT (idp_user_id, address) DO UPDATE SET signed_in_at = excluded.signed_in_at`,
        of,
      );
      this.#catalog.run(
        `DELETE FROM login_address WHERE idp_user_id = (SELECT idp_user_id FROM idp_user WHERE username = :username)
           AND address NOT IN (SELECT address FROM login_address JOIN idp_user USING (idp_user_id)
             WHERE username = :username ORDER BY signed_in_at DESC LIMIT :max)`,
        of,
      );
    });
  }
}

import { remove as toBaseLetters } from 'confusables';
import { AppError } from '../../contract/errors.ts';
import { message } from '../../contract/messages.ts';
import type { Catalog } from '../ports/catalog.ts';

/**
 * Rejects a username that can be mistaken for another account's, such as one with a Cyrillic letter in place of a Latin one (Unicode
 * Technical Standard 39, confusables).
 * @param ownId Id of the account to rename, which is ignored in the comparison.
 * @throws AppError `conflict`.
 */
export function assertNoLookAlike(catalog: Catalog, username: string, ownId?: string): void {
  const skeleton = skeletonOf(username);
  const rows = catalog.all<{ idp_user_id: string; username: string }>('SELECT idp_user_id, username FROM idp_user');
  const alike = rows.some((row) => row.idp_user_id !== ownId && skeletonOf(row.username) === skeleton);
  if (alike) throw new AppError('conflict', message('username_look_alike', { username }));
}

/** Names that look alike have the same skeleton. */
function skeletonOf(username: string): string {
  return toBaseLetters(username.normalize('NFKC')).toLowerCase();
}

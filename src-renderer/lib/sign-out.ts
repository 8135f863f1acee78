import { api } from './api.ts';

/** Ends the session and reloads the page, so that no data stays in memory. */
export async function signOut(everywhere = false): Promise<void> {
  await (everywhere ? api.logout_everywhere({}) : api.logout({}));
  window.location.hash = '';
  window.location.reload();
}

import { api } from './api.ts';

/** Ends the session, and leaves the page with all that it knew. */
export async function signOut(everywhere = false): Promise<void> {
  await (everywhere ? api.logout_everywhere({}) : api.logout({}));
  window.location.hash = '';
  window.location.reload();
}

import type { QueryClient } from '@tanstack/react-query';
import { create } from 'zustand';

const FIRST_PROBE_MS = 500;
const LAST_PROBE_MS = 5_000;

interface Connection {
  /** The core does not respond. */
  away: boolean;
  /** Number of reconnections. Images that failed are loaded again when it grows. */
  returns: number;
  noteAnswer(): void;
  noteSilence(): void;
  /** The event stream is open again. Events during the gap were missed, although answers may have arrived before it opened. */
  noteReturn(): void;
}

/** Whether the core can be reached. Reported by transports that can lose the connection. */
export const useConnection = create<Connection>()((set, get) => ({
  away: false,
  returns: 0,
  noteAnswer: () => get().away && get().noteReturn(),
  noteSilence: () => !get().away && set({ away: true }),
  noteReturn: () => set({ away: false, returns: get().returns + 1 }),
}));

/**
 * While the core does not respond, repeats a probe with growing delays. After reconnection, all data is fetched again.
 * @param probe Any small call. It reports its result to {@link useConnection} itself.
 */
export function followConnection(client: QueryClient, probe: () => Promise<unknown>): void {
  let waitMs = FIRST_PROBE_MS;
  const ask = async () => {
    await probe().catch(() => undefined);
    if (!useConnection.getState().away) return;
    setTimeout(ask, waitMs);
    waitMs = Math.min(LAST_PROBE_MS, waitMs * 1.5);
  };
  useConnection.subscribe((now, before) => {
    if (now.away && !before.away) {
      waitMs = FIRST_PROBE_MS;
      void ask();
    }
    if (now.returns > before.returns) void client.invalidateQueries();
  });
}

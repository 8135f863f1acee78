import type { QueryClient } from '@tanstack/react-query';
import { create } from 'zustand';

const FIRST_PROBE_MS = 500;
const LAST_PROBE_MS = 5_000;

interface Connection {
  /** The core does not answer. */
  away: boolean;
  /** How often it has come back: images that failed meanwhile are loaded again when this grows. */
  returns: number;
  noteAnswer(): void;
  noteSilence(): void;
  /** The stream of events is open again. What happened while it was broken was not told, though answers may have come before it. */
  noteReturn(): void;
}

/** Whether the core can be reached. Transports that can lose it say so here. */
export const useConnection = create<Connection>()((set, get) => ({
  away: false,
  returns: 0,
  noteAnswer: () => get().away && get().noteReturn(),
  noteSilence: () => !get().away && set({ away: true }),
  noteReturn: () => set({ away: false, returns: get().returns + 1 }),
}));

/**
 * While the core is away, asks again and again, a little slower each time; when it is back, everything on screen is asked for anew.
 * @param probe Any small call; it tells {@link useConnection} itself whether it was answered.
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

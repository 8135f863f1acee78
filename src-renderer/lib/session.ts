import type { QueryClient } from '@tanstack/react-query';
import { create } from 'zustand';

interface Session {
  /** A call was refused because nobody is signed in here (any more). */
  ended: boolean;
  /** How often somebody has signed in on this page. */
  begins: number;
  /** @param begins What it was when the call began: of an answer that comes late, the session is not the present one. */
  noteEnd(begins: number): void;
  noteBegin(): void;
  /** Somebody is signed in after all, such as in another window. */
  noteAnswer(): void;
}

/** Whether somebody has to sign in before anything else. Only calls tell: nothing here keeps what they are signed in with. */
export const useSession = create<Session>()((set, get) => ({
  ended: false,
  begins: 0,
  noteEnd: (begins) => !get().ended && begins === get().begins && set({ ended: true }),
  noteBegin: () => set({ ended: false, begins: get().begins + 1 }),
  noteAnswer: () => get().ended && get().noteBegin(),
}));

/** Once somebody has signed in, everything on screen is asked for anew: it may have been refused, or somebody else's. */
export function followSession(client: QueryClient): void {
  useSession.subscribe((now, before) => {
    if (now.begins > before.begins) void client.invalidateQueries();
  });
}

import type { QueryClient } from '@tanstack/react-query';
import { create } from 'zustand';

interface Session {
  /** Whether a call was refused because no user is signed in. */
  ended: boolean;
  /** Number of sign-ins on this page. */
  begins: number;
  /** @param begins Value of `begins` when the call started. Refusals of an earlier session are ignored. */
  noteEnd(begins: number): void;
  noteBegin(): void;
  /** Called when a user is signed in, for example in another window. */
  noteAnswer(): void;
}

/** Whether the user must sign in. Derived from answers only: no credentials are stored here. */
export const useSession = create<Session>()((set, get) => ({
  ended: false,
  begins: 0,
  noteEnd: (begins) => !get().ended && begins === get().begins && set({ ended: true }),
  noteBegin: () => set({ ended: false, begins: get().begins + 1 }),
  noteAnswer: () => get().ended && get().noteBegin(),
}));

/** After a sign-in, all data is fetched again: it may have been refused or belong to another user. */
export function followSession(client: QueryClient): void {
  useSession.subscribe((now, before) => {
    if (now.begins > before.begins) void client.invalidateQueries();
  });
}

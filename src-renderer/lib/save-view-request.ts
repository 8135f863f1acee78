import { create } from 'zustand';

interface SaveViewRequest {
  isOpen: boolean;
  open(): void;
  close(): void;
}

/** Asks for the name of a view of the current query. The Explore page renders the dialog. */
export const useSaveViewRequest = create<SaveViewRequest>()((set) => ({
  isOpen: false,
  open: () => set({ isOpen: true }),
  close: () => set({ isOpen: false }),
}));

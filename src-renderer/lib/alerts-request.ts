import { create } from 'zustand';

interface AlertsRequest {
  isOpen: boolean;
  setOpen(isOpen: boolean): void;
}

/** Whether the alerts panel is open. Set by its bell, a key and the palette. */
export const useAlertsRequest = create<AlertsRequest>()((set) => ({
  isOpen: false,
  setOpen: (isOpen) => set({ isOpen }),
}));

import { create } from 'zustand';

interface AlertsRequest {
  isOpen: boolean;
  setOpen(isOpen: boolean): void;
}

/** Whether the panel of alerts is open: its bell opens it, a key and the palette do too. */
export const useAlertsRequest = create<AlertsRequest>()((set) => ({
  isOpen: false,
  setOpen: (isOpen) => set({ isOpen }),
}));

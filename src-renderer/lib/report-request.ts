import { create } from 'zustand';

interface ReportRequest {
  isOpen: boolean;
  setOpen(isOpen: boolean): void;
}

/** Whether the dialog for reporting a problem is open. */
export const useReportRequest = create<ReportRequest>()((set) => ({
  isOpen: false,
  setOpen: (isOpen) => set({ isOpen }),
}));

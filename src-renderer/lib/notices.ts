import { create } from 'zustand';

export interface Notice {
  /** A later notice with the same key replaces this one. */
  key: string;
  text: string;
  /** Percentage of the work that the notice is about. */
  percent?: number | null | undefined;
  action?: { label: string; run(): void } | undefined;
  /** Closes by itself after a while. */
  isBrief?: boolean;
}

interface Notices {
  shown: readonly Notice[];
  show(notice: Notice): void;
  close(key: string): void;
}

/** Short messages about what was done, shown on any screen and read out by screen readers. */
export const useNotices = create<Notices>()((set) => ({
  shown: [],
  show: (notice) => set(({ shown }) => ({ shown: [...shown.filter(({ key }) => key !== notice.key), notice] })),
  close: (key) => set(({ shown }) => ({ shown: shown.filter((one) => one.key !== key) })),
}));

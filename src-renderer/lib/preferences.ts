import { create } from 'zustand';
import { persist } from 'zustand/middleware';

export type Theme = 'dark' | 'light' | 'system';
export type Density = 'comfortable' | 'compact';

interface Preferences {
  theme: Theme;
  density: Density;
  /** Smallest width of a thumbnail in a grid. */
  tileWidthPx: number;
  detailsOpen: boolean;
  facetsOpen: boolean;
  /** Whether objects are outlined on images. */
  boxesShown: boolean;
  /** Objects that models found are shown from this confidence on. */
  leastConfidence: number;
  /** Which objects are shown where annotations and models both name some. */
  boxesOf: 'both' | 'annotated' | 'predicted';
  /** Problems with annotations that were told already, by dataset. */
  seenProblems: Readonly<Record<string, number>>;
  set(change: Partial<Omit<Preferences, 'set'>>): void;
}

export const TILE_WIDTH_PX = { min: 72, max: 320, initial: 112 } as const;

/** What a person set about the look, kept in this browser. */
export const usePreferences = create<Preferences>()(
  persist(
    (set) => ({
      theme: 'dark',
      density: 'comfortable',
      tileWidthPx: TILE_WIDTH_PX.initial,
      detailsOpen: window.innerWidth >= 900,
      facetsOpen: window.innerWidth >= 1400,
      boxesShown: true,
      leastConfidence: 0.3,
      boxesOf: 'both',
      seenProblems: {},
      set: (change) => set(change),
    }),
    { name: 'vitrine.preferences' },
  ),
);

const prefersLight = window.matchMedia('(prefers-color-scheme: light)');

function apply({ theme, density }: Preferences): void {
  const shown = theme === 'system' ? (prefersLight.matches ? 'light' : 'dark') : theme;
  document.documentElement.dataset.theme = shown;
  document.documentElement.dataset.density = density;
}

/** Puts the preferences on the document and keeps them there. Called once, before the first render. */
export function watchPreferences(): void {
  apply(usePreferences.getState());
  usePreferences.subscribe(apply);
  prefersLight.addEventListener('change', () => apply(usePreferences.getState()));
}

/** Switches between light and dark, whatever is shown now. */
export function toggleTheme(): void {
  const shown = document.documentElement.dataset.theme;
  usePreferences.getState().set({ theme: shown === 'light' ? 'dark' : 'light' });
}

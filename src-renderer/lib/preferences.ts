import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import { DEFAULT_LABEL_CONFIDENCE } from '../../src-main/contract/schemas/image.ts';

export type Theme = 'dark' | 'light' | 'system';
/** `auto`: that of the browser. */
export type Language = 'auto' | 'en' | 'de';
export type Density = 'comfortable' | 'compact';

interface Preferences {
  theme: Theme;
  density: Density;
  language: Language;
  /** Minimum width of a thumbnail in a grid, in pixels. */
  tileWidthPx: number;
  detailsOpen: boolean;
  facetsOpen: boolean;
  /** Whether facets show the share of the results instead of the number. */
  facetShares: boolean;
  /** Whether object boxes are shown on images. */
  boxesShown: boolean;
  /** Minimum confidence of predicted objects. */
  minConfidence: number;
  /** Minimum confidence of labels that taggers gave to images. */
  labelConfidence: number;
  /** Which objects are shown when there are annotated and predicted ones. */
  boxesOf: 'both' | 'annotated' | 'predicted';
  /** Keys of the hidden columns of the table of items; undefined for the default. */
  hiddenColumns: readonly string[] | undefined;
  /** Last choices in the dialog that starts an enrichment. `location`: folder or S3 prefix for the files of a Ray run. */
  enrichment: { onRay: boolean; location: string; useGpu: boolean };
  /** Number of hints for new users already read. */
  hintsRead: number;
  /** Failed datasets that the user removed from the inventory. */
  dismissedDatasets: readonly string[];
  /** Number of annotation problems already dismissed, by dataset. */
  seenProblems: Readonly<Record<string, number>>;
  set(change: Partial<Omit<Preferences, 'set'>>): void;
}

export const TILE_WIDTH_PX = { min: 72, max: 320, initial: 112 } as const;

/** The user's display preferences, stored in this browser. */
export const usePreferences = create<Preferences>()(
  persist(
    (set) => ({
      theme: 'dark',
      density: 'comfortable',
      language: 'auto',
      tileWidthPx: TILE_WIDTH_PX.initial,
      detailsOpen: window.innerWidth >= 900,
      facetsOpen: window.innerWidth >= 1400,
      facetShares: false,
      boxesShown: true,
      minConfidence: 0.3,
      labelConfidence: DEFAULT_LABEL_CONFIDENCE,
      boxesOf: 'both',
      hiddenColumns: undefined,
      enrichment: { onRay: false, location: '', useGpu: false },
      hintsRead: 0,
      dismissedDatasets: [],
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

/** Applies the preferences to the document. Called once, before the first render. */
export function watchPreferences(): void {
  apply(usePreferences.getState());
  usePreferences.subscribe(apply);
  prefersLight.addEventListener('change', () => apply(usePreferences.getState()));
}

/** Toggles between light and dark. */
export function toggleTheme(): void {
  const shown = document.documentElement.dataset.theme;
  usePreferences.getState().set({ theme: shown === 'light' ? 'dark' : 'light' });
}

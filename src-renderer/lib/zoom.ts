import { useMemo, useState } from 'react';

export const MIN_SCALE = 1;
const MAX_SCALE = 32;

/** Position of an image in its stage. */
export interface View {
  /** 1: the image fits the stage. */
  scale: number;
  x: number;
  y: number;
}

export const FIT: View = { scale: 1, x: 0, y: 0 };

export interface Zoom {
  view: View;
  setView(change: View | ((old: View) => View)): void;
}

/** Zooms so that a point (relative to the stage's centre) stays under the pointer. */
export function zoomAt(view: View, factor: number, x: number, y: number): View {
  // Small images are enlarged to fill the stage, so that their actual size is below 1.
  const least = Math.min(MIN_SCALE, view.scale);
  const scale = Math.min(MAX_SCALE, Math.max(least, view.scale * factor));
  if (scale === MIN_SCALE) return FIT;
  const ratio = scale / view.scale;
  return { scale, x: x - (x - view.x) * ratio, y: y - (y - view.y) * ratio };
}

/** Resets for each subject. */
export function useZoom(subject: string): Zoom {
  const [state, setState] = useState({ subject, view: FIT });
  const view = state.subject === subject ? state.view : FIT;
  return useMemo(
    () => ({
      view,
      setView: (change) =>
        setState((old) => {
          const before = old.subject === subject ? old.view : FIT;
          return { subject, view: typeof change === 'function' ? change(before) : change };
        }),
    }),
    [view, subject],
  );
}

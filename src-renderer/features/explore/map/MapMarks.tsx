import { lazy, Suspense, useState } from 'react';
import { MapCanvas } from './MapCanvas.tsx';
import type { MapPalette, Marks } from './map-marks.ts';
import type { MapFrame } from './use-map-window.ts';

/** Loaded by the first map only. */
const MapGl = lazy(async () => ({ default: (await import('./MapGl.tsx')).MapGl }));

interface MapMarksProps {
  marks: Marks;
  frame: MapFrame;
  palette: MapPalette;
  /** x and y of the selected items. */
  lit: Float32Array;
}

/** The marks, drawn by WebGL, or by the processor where the browser has no WebGL. */
export function MapMarks({ lit, ...picture }: MapMarksProps) {
  const [isGl, setGl] = useState(() => document.createElement('canvas').getContext('webgl2') !== null);
  const plain = <MapCanvas {...picture} />;
  if (!isGl) return plain;
  return (
    <Suspense fallback={plain}>
      <MapGl {...picture} lit={lit} onFail={() => setGl(false)} />
    </Suspense>
  );
}

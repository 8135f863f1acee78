import { useEffect, useEffectEvent, useMemo, useRef } from 'react';
import styles from './MapLayout.module.css';
import { type GlMap, glMarksOf, openGlMap } from './map-gl.ts';
import { type MapPalette, type Marks, radiusOf } from './map-marks.ts';
import type { MapFrame } from './use-map-window.ts';

interface MapGlProps {
  marks: Marks;
  frame: MapFrame;
  palette: MapPalette;
  lit: Float32Array;
  onFail(): void;
}

/** Draws the marks on the graphics card: a million of them move with every frame. */
export function MapGl({ marks, frame, palette, lit, onFail }: MapGlProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const map = useRef<GlMap | null>(null);
  const fail = useEffectEvent(onFail);
  const glMarks = useMemo(() => glMarksOf(marks, palette), [marks, palette]);
  useEffect(() => {
    if (canvas.current === null) return;
    const opened = openGlMap(canvas.current, () => fail());
    map.current = opened;
    return () => {
      map.current = null;
      opened.close();
    };
  }, []);
  useEffect(() => {
    if (frame.width === 0 || frame.height === 0) return;
    const { ring } = palette;
    map.current?.show({
      marks: glMarks,
      frame,
      // A mark of a cell covers the cell.
      radiusPx: marks.cellSide > 0 ? marks.cellSide * frame.scale * 0.6 : radiusOf(marks.n, frame.scale),
      lit,
      ringColour: [ring & 255, (ring >>> 8) & 255, (ring >>> 16) & 255],
    });
  }, [marks, glMarks, frame, palette, lit]);
  return <canvas ref={canvas} className={styles.canvas} data-drawn-by="webgl" />;
}

import { useEffect, useRef } from 'react';
import styles from './MapLayout.module.css';
import { drawMarks, type MapPalette, type Marks, radiusOf } from './map-marks.ts';
import type { MapFrame } from './use-map-window.ts';

/** Draws the marks without a graphics card, at most once per animation frame. */
export function MapCanvas({ marks, frame, palette }: { marks: Marks; frame: MapFrame; palette: MapPalette }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const target = canvas.current;
    const context = target?.getContext('2d');
    if (!target || !context || frame.width === 0 || frame.height === 0) return;
    const frameId = requestAnimationFrame(() => {
      const ratio = window.devicePixelRatio;
      const [width, height] = [Math.round(frame.width * ratio), Math.round(frame.height * ratio)];
      if (target.width !== width || target.height !== height) [target.width, target.height] = [width, height];
      const image = context.createImageData(width, height);
      const { left, top, scale } = frame;
      const picture = {
        pixels: new Uint32Array(image.data.buffer),
        width,
        height,
        left,
        top,
        scale: scale * ratio,
      };
      drawMarks(marks, palette, picture, radiusOf(marks.n, scale) * ratio);
      context.putImageData(image, 0, 0);
    });
    return () => cancelAnimationFrame(frameId);
  }, [marks, frame, palette]);
  return <canvas ref={canvas} className={styles.canvas} />;
}

import { useMemo } from 'react';
import { type Theme, usePreferences } from '../../../lib/preferences.ts';
import { blend, type MapPalette } from './map-marks.ts';

/** Number of the tokens `--label-0`, `--label-1` … in tokens.css. */
const LABEL_COLOURS = 12;
/** Number of colours of ranges, from the lowest to the highest. */
const RAMP_PARTS = 8;
/** Weight of the colour in a muted one. */
const MUTED_SHARE = 0.45;
/** Label colours are made for dark text, so they are darkened on a light ground. */
const LIGHT_SHARE = 0.62;
const BLACK = 0xff000000;

/** The colours of a map in the current theme. @param nRanges Number of ranges; 0 for values without an order. */
export function usePalette(nRanges: number): MapPalette {
  const theme = usePreferences((preferences) => preferences.theme);
  return useMemo(() => paletteOf(nRanges, theme), [nRanges, theme]);
}

function paletteOf(nRanges: number, theme: Theme): MapPalette {
  const style = getComputedStyle(document.documentElement);
  const canvas = document.createElement('canvas').getContext('2d') as CanvasRenderingContext2D;
  const read = (name: string) => parseColour(style.getPropertyValue(name), canvas);
  const ground = read('--ground');
  const shown = theme === 'system' ? document.documentElement.dataset.theme : theme;
  const labels = Array.from({ length: LABEL_COLOURS }, (_, at) => {
    const label = read(`--label-${at}`);
    return shown === 'light' ? blend(BLACK, label, LIGHT_SHARE) : label;
  });
  const [low, high] = [read('--warn'), read('--accent')];
  const parts = Array.from({ length: RAMP_PARTS }, (_, at) => blend(low, high, at / Math.max(1, nRanges - 1)));
  const muted = labels.map((label) => blend(ground, label, MUTED_SHARE));
  return {
    colours: nRanges > 0 ? parts : [...labels, ...muted],
    plain: read('--text-3'),
    dim: read('--surface-3'),
    ground,
    ring: high,
  };
}

/** A colour in CSS syntax. */
export function cssColour(colour: number): string {
  return `rgb(${colour & 255} ${(colour >>> 8) & 255} ${(colour >>> 16) & 255})`;
}

/** An opaque colour in any CSS syntax as 0xAABBGGRR. A canvas converts it to `#rrggbb`. */
function parseColour(text: string, canvas: CanvasRenderingContext2D): number {
  canvas.fillStyle = text;
  const value = Number.parseInt(String(canvas.fillStyle).slice(1), 16);
  return (BLACK | ((value & 255) << 16) | (value & 0xff00) | (value >>> 16)) >>> 0;
}

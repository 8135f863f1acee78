import { Deck, OrthographicView } from '@deck.gl/core';
import { ScatterplotLayer } from '@deck.gl/layers';
import { NO_COLOUR } from '../../../../src-main/contract/schemas/map.ts';
import { blend, type MapPalette, type Marks } from './map-marks.ts';
import type { MapFrame } from './use-map-window.ts';

/** Marks above this number are drawn without smooth edges. */
const MOST_SMOOTH = 200_000;
/** Width of the ring around selected items, in pixels. */
const RING_PX = 2;
const RING_RADIUS_PX = 6;

/** Marks in the form that a graphics card draws. Uploaded once, then drawn in any frame. */
export interface GlMarks {
  length: number;
  attributes: { getPosition: { value: Float32Array; size: 2 }; getFillColor: { value: Uint8Array; size: 4 } };
}

/** Converts marks: results come last, so that they are drawn over other items. */
export function glMarksOf(marks: Marks, palette: MapPalette): GlMarks {
  const positions = new Float32Array(marks.n * 2);
  const colours = new Uint8Array(marks.n * 4);
  const words = new Uint32Array(colours.buffer);
  let next = 0;
  for (const fits of [false, true]) {
    for (let at = 0; at < marks.n; at += 1) {
      const nFitting = marks.matching[at] as number;
      if (nFitting > 0 !== fits) continue;
      positions[next * 2] = marks.places[at * 2] as number;
      positions[next * 2 + 1] = marks.places[at * 2 + 1] as number;
      const colour = marks.colours[at] as number;
      const plain = colour === NO_COLOUR ? palette.plain : (palette.colours[colour] ?? palette.plain);
      words[next] = strengthened(
        fits ? plain : palette.dim,
        fits ? nFitting : (marks.counts[at] as number),
        marks,
        palette,
      );
      next += 1;
    }
  }
  return {
    length: marks.n,
    attributes: { getPosition: { value: positions, size: 2 }, getFillColor: { value: colours, size: 4 } },
  };
}

/** Cells with more items are stronger. */
function strengthened(colour: number, n: number, { cellSide, mostInCell }: Marks, { ground }: MapPalette): number {
  if (cellSide === 0) return colour;
  return blend(ground, colour, 0.25 + 0.75 * (Math.log(1 + n) / Math.log(1 + mostInCell)));
}

export interface GlPicture {
  marks: GlMarks;
  frame: MapFrame;
  radiusPx: number;
  /** x and y of the selected items. */
  lit: Float32Array;
  /** Red, green and blue of the rings around selected items. */
  ringColour: [number, number, number];
}

export interface GlMap {
  show(picture: GlPicture): void;
  close(): void;
}

/** @param onFail Called when the graphics card refuses or loses the drawing. */
export function openGlMap(canvas: HTMLCanvasElement, onFail: () => void): GlMap {
  let release: () => void = () => undefined;
  let isClosed = false;
  const deck = new Deck({
    canvas,
    width: canvas.clientWidth,
    height: canvas.clientHeight,
    views: new OrthographicView({ id: 'map', flipY: true }),
    controller: false,
    onError: onFail,
    onDeviceInitialized: (device) => {
      // deck.gl leaves a listener on the window that holds the canvas, and with it the whole page that showed it. A canvas that is still
      // on the page is about to be opened again with the same device.
      release = () => {
        if (isClosed && !canvas.isConnected) device.getDefaultCanvasContext().destroy();
      };
      release();
    },
  });
  canvas.addEventListener('webglcontextlost', onFail);
  return {
    show: ({ marks, frame, radiusPx, lit, ringColour }) => {
      const { width, height, left, top, scale } = frame;
      const target: [number, number, number] = [left + width / scale / 2, top + height / scale / 2, 0];
      deck.setProps({
        width,
        height,
        viewState: { target, zoom: Math.log2(scale) },
        layers: [
          new ScatterplotLayer({
            id: 'marks',
            data: marks,
            getRadius: 1,
            radiusUnits: 'pixels',
            radiusScale: radiusPx,
            antialiasing: marks.length <= MOST_SMOOTH,
          }),
          new ScatterplotLayer({
            id: 'lit',
            data: { length: lit.length / 2, attributes: { getPosition: { value: lit, size: 2 } } },
            getRadius: RING_RADIUS_PX,
            radiusUnits: 'pixels',
            filled: false,
            stroked: true,
            getLineColor: ringColour,
            getLineWidth: RING_PX,
            lineWidthUnits: 'pixels',
          }),
        ],
      });
    },
    close: () => {
      canvas.removeEventListener('webglcontextlost', onFail);
      deck.finalize();
      isClosed = true;
      release();
    },
  };
}

import { COLOUR_CELLS, COLOUR_CHANNELS, DCT_SIDE, DESCRIPTOR_DIM, HOG_BINS, HOG_CELLS } from './descriptor-shape.ts';

/** One of the ways in which an image can be turned by quarters and mirrored. */
export interface Orientation {
  /** Whether the image is also mirrored, which no rotation alone achieves. */
  is_mirrored: boolean;
  /** Value i of the descriptor becomes `signs[i]` times that at `places[i]`. */
  places: Int32Array;
  signs: Int8Array;
}

/**
 * The seven orientations other than the upright one. The descriptor of a rotated or mirrored image is, up to rounding, a signed permutation
 * of the original's descriptor: cells change places, orientations of gradients change bins, and odd frequencies change their sign.
 */
export const ORIENTATIONS: readonly Orientation[] = [0, 1, 2, 3, 4, 5, 6, 7].slice(1).map((way) => {
  const [isTransposed, flipsX, flipsY] = [(way & 1) !== 0, (way & 2) !== 0, (way & 4) !== 0];
  return orientation(isTransposed, flipsX, flipsY);
});

/** Converts the descriptor of an image to that of the rotated or mirrored image. */
export function orient(vector: Float32Array, { places, signs }: Orientation, target: Float32Array): void {
  for (let at = 0; at < DESCRIPTOR_DIM; at += 1) {
    target[at] = (vector[places[at] as number] as number) * (signs[at] as number);
  }
}

/** Returns the change of the descriptor when the image is flipped along its axes and then optionally transposed. */
function orientation(isTransposed: boolean, flipsX: boolean, flipsY: boolean): Orientation {
  const places: number[] = [];
  const signs: number[] = [];
  /** Returns the cell of the original image for a cell of the new one. */
  const cellOf = (row: number, column: number, cells: number) => {
    const [y, x] = isTransposed ? [column, row] : [row, column];
    return (flipsY ? cells - 1 - y : y) * cells + (flipsX ? cells - 1 - x : x);
  };
  const add = (place: number, sign = 1) => {
    places.push(place);
    signs.push(sign);
  };
  const each = (n: number, use: (index: number) => void) => {
    for (let index = 0; index < n; index += 1) use(index);
  };

  each(HOG_BINS, (bin) => {
    // Bins are doubled angles: transposing turns θ into π − θ, and one flip turns it into −θ.
    const before = isTransposed ? HOG_BINS + HOG_BINS / 2 - bin : bin;
    const source = (flipsX === flipsY ? before : 2 * HOG_BINS - before) % HOG_BINS;
    each(HOG_CELLS, (row) => {
      each(HOG_CELLS, (column) => add(source * HOG_CELLS * HOG_CELLS + cellOf(row, column, HOG_CELLS)));
    });
  });
  const frequenciesAt = places.length - 1;
  each(DCT_SIDE, (down) => {
    each(DCT_SIDE, (across) => {
      if (down === 0 && across === 0) return;
      const [v, u] = isTransposed ? [across, down] : [down, across];
      const isNegative = (flipsX && u % 2 === 1) !== (flipsY && v % 2 === 1);
      add(frequenciesAt + v * DCT_SIDE + u, isNegative ? -1 : 1);
    });
  });
  const coloursAt = places.length;
  each(COLOUR_CHANNELS, (channel) => {
    each(COLOUR_CELLS, (row) => {
      each(COLOUR_CELLS, (column) => {
        add(coloursAt + channel * COLOUR_CELLS * COLOUR_CELLS + cellOf(row, column, COLOUR_CELLS));
      });
    });
  });
  for (let at = places.length; at < DESCRIPTOR_DIM; at += 1) add(at);
  return {
    is_mirrored: (Number(isTransposed) + Number(flipsX) + Number(flipsY)) % 2 === 1,
    places: Int32Array.from(places),
    signs: Int8Array.from(signs),
  };
}

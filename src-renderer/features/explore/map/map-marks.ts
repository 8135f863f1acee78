import { MAP_CELLS, type MapView, NO_COLOUR, PLACE_STEPS } from '../../../../src-main/contract/schemas/map.ts';

/** A square part of the map, in map coordinates from 0 to 1. y points down. */
export interface MapWindow {
  x: number;
  y: number;
  side: number;
}

/** Decoded marks of a map, in map coordinates. */
export interface Marks {
  n: number;
  /** x and y of each mark. */
  places: Float32Array;
  counts: Uint32Array;
  matching: Uint32Array;
  /** Index in the legend. NO_COLOUR for none. */
  colours: Uint8Array;
  /** Side of the cell that a mark stands for. 0 for points. */
  cellSide: number;
  mostInCell: number;
}

export function decodeMarks(view: MapView): Marks {
  const { window, n_marks: n } = view;
  const [xs, ys] = [new Uint16Array(bytesOf(view.x)), new Uint16Array(bytesOf(view.y))];
  const places = new Float32Array(n * 2);
  const step = window.side / PLACE_STEPS;
  for (let at = 0; at < n; at += 1) {
    places[at * 2] = window.x + (xs[at] ?? 0) * step;
    places[at * 2 + 1] = window.y + (ys[at] ?? 0) * step;
  }
  const counts = new Uint32Array(bytesOf(view.counts));
  return {
    n,
    places,
    counts,
    matching: new Uint32Array(bytesOf(view.matching)),
    colours: new Uint8Array(bytesOf(view.colours)),
    cellSide: view.marks === 'cells' ? window.side / MAP_CELLS : 0,
    mostInCell: counts.reduce((most, count) => Math.max(most, count), 1),
  };
}

function bytesOf(base64: string): ArrayBuffer {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at += 1) bytes[at] = text.charCodeAt(at);
  return bytes.buffer;
}

/** Colours as 0xAABBGGRR, the order of canvas image data. */
export interface MapPalette {
  /** Colours of results, by index in the legend; from MUTED_COLOURS on for values beyond the legend. */
  colours: readonly number[];
  /** Colour of results without a legend entry. */
  plain: number;
  /** Colour of other items. */
  dim: number;
  ground: number;
  /** Colour of the rings around selected items. */
  ring: number;
}

/** Pixels of an image, and the part of the map that it shows: `scale` is the side of the whole map in pixels. */
export interface MapPicture {
  pixels: Uint32Array;
  width: number;
  height: number;
  left: number;
  top: number;
  scale: number;
}

/** Draws marks into an image: results over other items. Cells with more items are more opaque. */
export function drawMarks(marks: Marks, palette: MapPalette, picture: MapPicture, radius: number): void {
  picture.pixels.fill(palette.ground);
  const disc = discOf(radius);
  for (const fits of [false, true]) {
    for (let at = 0; at < marks.n; at += 1) {
      const nFitting = marks.matching[at] as number;
      if (nFitting > 0 !== fits) continue;
      const colour = marks.colours[at] as number;
      const full = fits
        ? colour === NO_COLOUR
          ? palette.plain
          : (palette.colours[colour] ?? palette.plain)
        : palette.dim;
      const x = ((marks.places[at * 2] as number) - picture.left) * picture.scale;
      const y = ((marks.places[at * 2 + 1] as number) - picture.top) * picture.scale;
      if (marks.cellSide === 0) {
        stamp(picture, Math.round(x), Math.round(y), disc, full);
        continue;
      }
      const shown = fits ? nFitting : (marks.counts[at] as number);
      const strength = 0.25 + 0.75 * (Math.log(1 + shown) / Math.log(1 + marks.mostInCell));
      square(picture, x, y, marks.cellSide * picture.scale, blend(palette.ground, full, strength));
    }
  }
}

/** Radius of a mark in pixels: larger for fewer marks, growing slowly with the zoom. */
export function radiusOf(n: number, scale: number): number {
  const room = scale / Math.sqrt(Math.max(1, n));
  return Math.max(0.7, Math.min(5, room * 0.12));
}

/** The pixels of a disc: offsets and coverage. */
interface Disc {
  offsets: Int32Array;
  shares: Float32Array;
}

function discOf(radius: number): Disc {
  const offsets: number[] = [];
  const shares: number[] = [];
  const reach = Math.ceil(radius);
  for (let y = -reach; y <= reach; y += 1) {
    for (let x = -reach; x <= reach; x += 1) {
      const share = Math.min(1, radius + 0.5 - Math.hypot(x, y));
      if (share <= 0) continue;
      offsets.push(x, y);
      shares.push(share);
    }
  }
  return { offsets: Int32Array.from(offsets), shares: Float32Array.from(shares) };
}

function stamp({ pixels, width, height }: MapPicture, x: number, y: number, disc: Disc, colour: number): void {
  for (let at = 0; at < disc.shares.length; at += 1) {
    const [px, py] = [x + (disc.offsets[at * 2] as number), y + (disc.offsets[at * 2 + 1] as number)];
    if (px < 0 || py < 0 || px >= width || py >= height) continue;
    const share = disc.shares[at] as number;
    const pixel = py * width + px;
    pixels[pixel] = share === 1 ? colour : blend(pixels[pixel] as number, colour, share);
  }
}

function square({ pixels, width, height }: MapPicture, x: number, y: number, side: number, colour: number): void {
  const [left, top] = [Math.max(0, Math.round(x - side / 2)), Math.max(0, Math.round(y - side / 2))];
  const right = Math.min(width, Math.max(left + 1, Math.round(x + side / 2)));
  const bottom = Math.min(height, Math.max(top + 1, Math.round(y + side / 2)));
  for (let py = top; py < bottom; py += 1) pixels.fill(colour, py * width + left, py * width + Math.max(left, right));
}

/** Mixes two colours. `share` is the weight of the second. */
export function blend(under: number, over: number, share: number): number {
  const channel = (shift: number) => {
    const [a, b] = [(under >>> shift) & 255, (over >>> shift) & 255];
    return Math.round(a + (b - a) * share) << shift;
  };
  return ((255 << 24) | channel(16) | channel(8) | channel(0)) >>> 0;
}

/** Index of the matching mark nearest to a position and within `reach`, or -1. */
export function nearestMark(marks: Marks, x: number, y: number, reach: number): number {
  let [nearest, least] = [-1, reach * reach];
  for (let at = 0; at < marks.n; at += 1) {
    if (marks.matching[at] === 0) continue;
    const dx = (marks.places[at * 2] as number) - x;
    const dy = (marks.places[at * 2 + 1] as number) - y;
    const squared = dx * dx + dy * dy;
    if (squared > least) continue;
    [nearest, least] = [at, squared];
  }
  return nearest;
}

/** Simplifies a drawn line: removes corners within `tolerance` of the line between their neighbours (Ramer, Douglas and Peucker). */
export function simplify(line: readonly (readonly [number, number])[], tolerance: number): [number, number][] {
  const first = line[0];
  const last = line.at(-1);
  if (first === undefined || last === undefined || line.length < 3) return line.map(([x, y]) => [x, y]);
  let [furthest, most] = [0, 0];
  const length = Math.hypot(last[0] - first[0], last[1] - first[1]);
  for (const [at, [x, y]] of line.entries()) {
    const off =
      length === 0
        ? Math.hypot(x - first[0], y - first[1])
        : Math.abs((last[0] - first[0]) * (first[1] - y) - (first[0] - x) * (last[1] - first[1])) / length;
    if (off > most) [furthest, most] = [at, off];
  }
  if (most <= tolerance) return [[...first], [...last]];
  const before = simplify(line.slice(0, furthest + 1), tolerance);
  return [...before.slice(0, -1), ...simplify(line.slice(furthest), tolerance)];
}

/**
 * Kernels over the pixels of one image. Each exported function stores its sums as float64 at `out`. Pointers are byte addresses; up to
 * {@link LANES} bytes behind an image are read and written, whatever they contain.
 */

/** Number of bytes that are processed at once. */
const LANES: u32 = 16;
/** Number of pixels whose sums fit into four times 32 bits: no summand exceeds 510². */
const PIXELS_PER_SUM: u32 = 16_384;
/** Minimum value of a channel that is cut off: [Note: Overexposure]. */
const CUT_OFF: i32 = 252;
/** Maximum colour difference of a grey pixel: tolerates the chroma noise of lossy compression. */
const GREY_TOLERANCE: i32 = 6;
/** Number of pixels from the edge of a cut-off area to the pixel that shows how it fades. */
const STEPS_OUTSIDE: usize = 4;

/** All ones in the first `n` of 16 bytes. */
@inline
function firstBytes(n: u32): v128 {
  return i8x16.lt_u(i8x16(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15), i8x16.splat(<i8>min<u32>(n, LANES)));
}

/** Adds the sums of neighbouring 16-bit numbers. */
@inline
function addWords(sum: v128, words: v128): v128 {
  return i32x4.add(sum, i32x4.dot_i16x8_s(words, i16x8.splat(1)));
}

/** Adds the sums of neighbouring squares. */
@inline
function addSquares(sum: v128, words: v128): v128 {
  return i32x4.add(sum, i32x4.dot_i16x8_s(words, words));
}

@inline
function total(lanes: v128): f64 {
  return <f64>(
    (<i64>i32x4.extract_lane(lanes, 0) +
      <i64>i32x4.extract_lane(lanes, 1) +
      <i64>i32x4.extract_lane(lanes, 2) +
      <i64>i32x4.extract_lane(lanes, 3))
  );
}

@inline
function totalOfFloats(lanes: v128): f64 {
  return (
    <f64>f32x4.extract_lane(lanes, 0) +
    <f64>f32x4.extract_lane(lanes, 1) +
    <f64>f32x4.extract_lane(lanes, 2) +
    <f64>f32x4.extract_lane(lanes, 3)
  );
}

@inline
function addTo(out: usize, value: f64): void {
  store<f64>(out, load<f64>(out) + value);
}

/**
 * Luma (ITU-R BT.601, rounded) of four pixels. The weight of green does not fit into 16 bits, so each half of it is multiplied.
 * @param redGreen Four pairs of 16-bit channels; `blueGreen` likewise.
 */
@inline
function lumaOf(redGreen: v128, blueGreen: v128): v128 {
  const warm = i32x4.dot_i16x8_s(redGreen, i16x8(19595, 19235, 19595, 19235, 19595, 19235, 19595, 19235));
  const cool = i32x4.dot_i16x8_s(blueGreen, i16x8(7471, 19235, 7471, 19235, 7471, 19235, 7471, 19235));
  return i32x4.shr_u(i32x4.add(i32x4.add(warm, cool), i32x4.splat(32_768)), 16);
}

/** Luma of eight pixels, from their 16-bit channels. */
@inline
function lumasOf(red: v128, green: v128, blue: v128): v128 {
  return i16x8.narrow_i32x4_u(
    lumaOf(i16x8.shuffle(red, green, 0, 8, 1, 9, 2, 10, 3, 11), i16x8.shuffle(blue, green, 0, 8, 1, 9, 2, 10, 3, 11)),
    lumaOf(i16x8.shuffle(red, green, 4, 12, 5, 13, 6, 14, 7, 15), i16x8.shuffle(blue, green, 4, 12, 5, 13, 6, 14, 7, 15)),
  );
}

/**
 * Computes luma and colour of interleaved RGB pixels.
 * @param luma Receives one byte per pixel.
 * @param isCut Receives 1 for each pixel with a channel at its maximum, and 0 for others.
 * @param histogram Receives the number of pixels (u32) with each of the 256 levels of luma.
 * @param out Receives the sums of red - green, of its squares, of red + green - 2 · blue and of its squares, and the numbers of grey and of
 *   cut-off pixels.
 */
export function measureColour(
  pixels: usize,
  count: u32,
  luma: usize,
  isCut: usize,
  histogram: usize,
  out: usize,
): void {
  memory.fill(histogram, 0, 1024);
  memory.fill(out, 0, 48);
  for (let done: u32 = 0; done < count; done += PIXELS_PER_SUM) {
    const end = min<u32>(count, done + PIXELS_PER_SUM);
    let rg = i32x4.splat(0);
    let rg2 = i32x4.splat(0);
    let yb = i32x4.splat(0);
    let yb2 = i32x4.splat(0);
    let nGrey: i32 = 0;
    let nCut: i32 = 0;
    for (let at = done; at < end; at += LANES) {
      const inside = firstBytes(end - at);
      const a = v128.load(pixels + at * 3);
      const b = v128.load(pixels + at * 3, 16);
      const c = v128.load(pixels + at * 3, 32);
      const red = i8x16.shuffle(
        i8x16.shuffle(a, b, 0, 3, 6, 9, 12, 15, 18, 21, 24, 27, 30, 0, 0, 0, 0, 0),
        c, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 17, 20, 23, 26, 29,
      );
      const green = i8x16.shuffle(
        i8x16.shuffle(a, b, 1, 4, 7, 10, 13, 16, 19, 22, 25, 28, 31, 0, 0, 0, 0, 0),
        c, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 18, 21, 24, 27, 30,
      );
      const blue = i8x16.shuffle(
        i8x16.shuffle(a, b, 2, 5, 8, 11, 14, 17, 20, 23, 26, 29, 0, 0, 0, 0, 0, 0),
        c, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 16, 19, 22, 25, 28, 31,
      );
      const most = i8x16.max_u(i8x16.max_u(red, green), blue);
      const least = i8x16.min_u(i8x16.min_u(red, green), blue);
      const isGrey = i8x16.le_u(i8x16.sub(most, least), i8x16.splat(<i8>GREY_TOLERANCE));
      nGrey += popcnt(i8x16.bitmask(v128.and(isGrey, inside)));
      const isMost = v128.and(i8x16.ge_u(most, i8x16.splat(<i8>CUT_OFF)), inside);
      nCut += popcnt(i8x16.bitmask(isMost));
      v128.store(isCut + at, v128.and(isMost, i8x16.splat(1)));
      // Eight pixels at a time from here on.
      const redLow = i16x8.extend_low_i8x16_u(red);
      const redHigh = i16x8.extend_high_i8x16_u(red);
      const greenLow = i16x8.extend_low_i8x16_u(green);
      const greenHigh = i16x8.extend_high_i8x16_u(green);
      const blueLow = i16x8.extend_low_i8x16_u(blue);
      const blueHigh = i16x8.extend_high_i8x16_u(blue);
      const lumas = i8x16.narrow_i16x8_u(
        lumasOf(redLow, greenLow, blueLow),
        lumasOf(redHigh, greenHigh, blueHigh),
      );
      v128.store(luma + at, lumas);
      const low = i16x8.extend_low_i8x16_s(inside);
      const high = i16x8.extend_high_i8x16_s(inside);
      const rgLow = v128.and(i16x8.sub(redLow, greenLow), low);
      const rgHigh = v128.and(i16x8.sub(redHigh, greenHigh), high);
      const ybLow = v128.and(i16x8.sub(i16x8.add(redLow, greenLow), i16x8.shl(blueLow, 1)), low);
      const ybHigh = v128.and(i16x8.sub(i16x8.add(redHigh, greenHigh), i16x8.shl(blueHigh, 1)), high);
      rg = addWords(rg, i16x8.add(rgLow, rgHigh));
      rg2 = addSquares(addSquares(rg2, rgLow), rgHigh);
      yb = addWords(yb, i16x8.add(ybLow, ybHigh));
      yb2 = addSquares(addSquares(yb2, ybLow), ybHigh);
    }
    addTo(out, total(rg));
    addTo(out + 8, total(rg2));
    addTo(out + 16, total(yb));
    addTo(out + 24, total(yb2));
    addTo(out + 32, nGrey);
    addTo(out + 40, nCut);
    for (let at = done; at < end; at += 1) {
      const counted = histogram + 4 * <usize>load<u8>(luma + at);
      store<u32>(counted, load<u32>(counted) + 1);
    }
  }
}

/** Eight levels of luma as 16-bit numbers. */
@inline
function levelsAt(at: usize): v128 {
  return v128.load_ext<u8>(at);
}

/** Second difference: the levels on both sides, less twice the level between them. */
@inline
function bend(before: v128, after: v128, twice: v128): v128 {
  return i16x8.sub(i16x8.add(before, after), twice);
}

/** Lengths of four gradients. */
@inline
function lengths(x2: v128, y2: v128): v128 {
  return f32x4.sqrt(f32x4.convert_i32x4_s(i32x4.add(x2, y2)));
}

/**
 * Sums over the inner pixels of an image of luma, in which each has eight neighbours.
 * @param width Width in pixels, 3 to 8,000; the sums of a row then fit into 32 bits. The height is at least 3.
 * @param out Receives the sums of the Laplacian, of its squares, of the squared second differences and of the absolute first differences in
 *   four directions each (horizontal, vertical, down, up), and of the gradient's magnitudes.
 */
export function measureDetail(luma: usize, width: u32, height: u32, out: usize): void {
  memory.fill(out, 0, 88);
  for (let y: u32 = 1; y + 1 < height; y += 1) {
    let laplacians = i32x4.splat(0);
    let laplacians2 = i32x4.splat(0);
    let bendX = i32x4.splat(0);
    let bendY = i32x4.splat(0);
    let bendDown = i32x4.splat(0);
    let bendUp = i32x4.splat(0);
    let slopeX = i32x4.splat(0);
    let slopeY = i32x4.splat(0);
    let slopeDown = i32x4.splat(0);
    let slopeUp = i32x4.splat(0);
    let magnitude = f32x4.splat(0);
    for (let x: u32 = 1; x + 1 < width; x += 8) {
      const inside = i16x8.extend_low_i8x16_s(firstBytes(width - 1 - x));
      const at = luma + <usize>y * width + x;
      const above = at - width;
      const below = at + width;
      const left = levelsAt(at - 1);
      const right = levelsAt(at + 1);
      const up = levelsAt(above);
      const down = levelsAt(below);
      const upLeft = levelsAt(above - 1);
      const upRight = levelsAt(above + 1);
      const downLeft = levelsAt(below - 1);
      const downRight = levelsAt(below + 1);
      const twice = i16x8.shl(levelsAt(at), 1);
      const inX = v128.and(bend(left, right, twice), inside);
      const inY = v128.and(bend(up, down, twice), inside);
      const inDown = v128.and(bend(upLeft, downRight, twice), inside);
      const inUp = v128.and(bend(upRight, downLeft, twice), inside);
      const laplacian = i16x8.add(inX, inY);
      laplacians = addWords(laplacians, laplacian);
      laplacians2 = addSquares(laplacians2, laplacian);
      bendX = addSquares(bendX, inX);
      bendY = addSquares(bendY, inY);
      bendDown = addSquares(bendDown, inDown);
      bendUp = addSquares(bendUp, inUp);
      const dx = v128.and(i16x8.sub(right, left), inside);
      const dy = v128.and(i16x8.sub(down, up), inside);
      slopeX = addWords(slopeX, i16x8.abs(dx));
      slopeY = addWords(slopeY, i16x8.abs(dy));
      slopeDown = addWords(slopeDown, i16x8.abs(v128.and(i16x8.sub(downRight, upLeft), inside)));
      slopeUp = addWords(slopeUp, i16x8.abs(v128.and(i16x8.sub(upRight, downLeft), inside)));
      magnitude = f32x4.add(
        magnitude,
        f32x4.add(
          lengths(i32x4.extmul_low_i16x8_s(dx, dx), i32x4.extmul_low_i16x8_s(dy, dy)),
          lengths(i32x4.extmul_high_i16x8_s(dx, dx), i32x4.extmul_high_i16x8_s(dy, dy)),
        ),
      );
    }
    addTo(out, total(laplacians));
    addTo(out + 8, total(laplacians2));
    addTo(out + 16, total(bendX));
    addTo(out + 24, total(bendY));
    addTo(out + 32, total(bendDown));
    addTo(out + 40, total(bendUp));
    addTo(out + 48, total(slopeX));
    addTo(out + 56, total(slopeY));
    addTo(out + 64, total(slopeDown));
    addTo(out + 72, total(slopeUp));
    addTo(out + 80, totalOfFloats(magnitude));
  }
}

/**
 * Looks at the pixels outside the edges of cut-off areas: [Note: Overexposure].
 * @param isCut 1 for each pixel that is cut off, and 0 for others.
 * @param out Receives the number of edges, and the sum of the luma a few steps outside.
 */
export function measureEdges(luma: usize, isCut: usize, width: u32, height: u32, out: usize): void {
  let nOutside: u32 = 0;
  let sum: u64 = 0;
  const nRows = width > 2 * STEPS_OUTSIDE ? height : 0;
  for (let y: usize = 0; y < nRows; y += 1) {
    const end = (y + 1) * width - STEPS_OUTSIDE;
    let at = y * width + STEPS_OUTSIDE;
    while (at < end) {
      if (at + LANES <= end && !v128.any_true(v128.load(isCut + at))) {
        at += LANES;
        continue;
      }
      if (load<u8>(isCut + at) === 1) {
        if (load<u8>(isCut + at - 1) === 0) {
          nOutside += 1;
          sum += load<u8>(luma + at - STEPS_OUTSIDE);
        }
        if (load<u8>(isCut + at + 1) === 0) {
          nOutside += 1;
          sum += load<u8>(luma + at + STEPS_OUTSIDE);
        }
      }
      at += 1;
    }
  }
  store<f64>(out, nOutside);
  store<f64>(out, <f64>sum, 8);
}

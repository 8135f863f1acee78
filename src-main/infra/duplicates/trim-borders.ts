import type { WorkingImage } from '../images/decode-image.ts';

/** Maximum deviation of a border in grey levels, along a line and from line to line. */
const [MAX_DEVIATION, MAX_DRIFT] = [4, 8];
/** Minimum share of the image that a border takes, and minimum side in pixels of the rest. */
const [LEAST_BORDER, LEAST_LEFT_PX] = [0.05, 16];

/** Lines of an image parallel to one side, from the edge inwards. */
interface Side {
  lines: number;
  length: number;
  /** Returns the position of a pixel in a line. */
  at(line: number, along: number): number;
}

/** Removes a border of one colour from some or all sides; undefined for an image without a border of sufficient size. */
export function withoutBorder(image: WorkingImage): WorkingImage | undefined {
  const { width, height } = image;
  const pixel = (x: number, y: number) => (y * width + x) * 3;
  const top = borderOf(image, { lines: height, length: width, at: (line, along) => pixel(along, line) });
  const bottom = borderOf(image, {
    lines: height,
    length: width,
    at: (line, along) => pixel(along, height - 1 - line),
  });
  const left = borderOf(image, { lines: width, length: height, at: (line, along) => pixel(line, along) });
  const right = borderOf(image, { lines: width, length: height, at: (line, along) => pixel(width - 1 - line, along) });
  const [innerWidth, innerHeight] = [width - left - right, height - top - bottom];
  const isLarge = innerWidth >= LEAST_LEFT_PX && innerHeight >= LEAST_LEFT_PX;
  if (!isLarge || innerWidth * innerHeight > width * height * (1 - LEAST_BORDER)) return undefined;
  const data = Buffer.allocUnsafe(innerWidth * innerHeight * 3);
  for (let y = 0; y < innerHeight; y += 1) {
    const from = pixel(left, top + y);
    image.data.copy(data, y * innerWidth * 3, from, from + innerWidth * 3);
  }
  return { data, width: innerWidth, height: innerHeight };
}

/** Counts the lines from the edge inwards that have only the colour of the first line. */
function borderOf({ data }: WorkingImage, { lines, length, at }: Side): number {
  let first: number[] | undefined;
  for (let line = 0; line < lines; line += 1) {
    const means: number[] = [];
    for (let channel = 0; channel < 3; channel += 1) {
      let [sum, squares] = [0, 0];
      for (let along = 0; along < length; along += 1) {
        const value = data[at(line, along) + channel] as number;
        sum += value;
        squares += value * value;
      }
      const mean = sum / length;
      if (squares / length - mean * mean > MAX_DEVIATION ** 2) return line;
      means.push(mean);
    }
    first ??= means;
    if (means.some((mean, channel) => Math.abs(mean - (first?.[channel] ?? 0)) > MAX_DRIFT)) return line;
  }
  return lines;
}

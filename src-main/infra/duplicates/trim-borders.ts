import type { WorkingImage } from '../images/decode-image.ts';

/** Levels that a border deviates by at most along a line, and from line to line. */
const [MOST_DEVIATION, MOST_DRIFT] = [4, 8];
/** A border takes at least this share of the image, and what it leaves is at least so large. */
const [LEAST_BORDER, LEAST_LEFT_PX] = [0.05, 32];

/** Lines of an image along one side, from the edge inwards. */
interface Side {
  lines: number;
  length: number;
  /** Where a pixel of a line is. */
  at(line: number, along: number): number;
}

/** The image without the border of one colour around it or along some sides; undefined where there is none worth trimming. */
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

/** How many lines from the edge on have the colour of the first and no other. */
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
      if (squares / length - mean * mean > MOST_DEVIATION ** 2) return line;
      means.push(mean);
    }
    first ??= means;
    if (means.some((mean, channel) => Math.abs(mean - (first?.[channel] ?? 0)) > MOST_DRIFT)) return line;
  }
  return lines;
}

/**
 * D50-adapted primaries of sRGB, as its ICC profiles give them: [X, Y, Z] of red, green and blue.
 * Source: IEC 61966-2-1 with the Bradford adaptation of ICC.1 Annex E.
 */
const SRGB_COLUMNS: Readonly<Record<string, readonly number[]>> = {
  rXYZ: [0.4361, 0.2225, 0.0139],
  gXYZ: [0.3851, 0.7169, 0.0971],
  bXYZ: [0.1431, 0.0606, 0.7141],
};
/**
 * Maximum deviation of a primary: tolerates the rounding of profile writers, and is far smaller than the distance to any other common
 * colour space.
 */
const PRIMARY_TOLERANCE = 0.003;
/**
 * Maximum deviation of the tone curve: distinguishes sRGB's curve from a plain gamma of 2.2, which differs by 0.0035 at the dark samples.
 */
const CURVE_TOLERANCE = 0.002;
const CURVE_SAMPLES = [0.1, 0.25, 0.5, 0.75, 0.9];

const HEADER_BYTES = 128;
const TAG_ENTRY_BYTES = 12;

const srgbToLinear = (value: number): number => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);

/** Reads a signed 15.16 fixed-point number. */
const fixed = (data: Buffer, at: number): number => data.readInt32BE(at) / 65536;

function readTags(profile: Buffer): Map<string, Buffer> {
  const tags = new Map<string, Buffer>();
  const count = profile.readUInt32BE(HEADER_BYTES);
  for (let index = 0; index < Math.min(count, 100); index += 1) {
    const entry = HEADER_BYTES + 4 + index * TAG_ENTRY_BYTES;
    const offset = profile.readUInt32BE(entry + 4);
    const size = profile.readUInt32BE(entry + 8);
    tags.set(profile.toString('latin1', entry, entry + 4), profile.subarray(offset, offset + size));
  }
  return tags;
}

/**
 * Value of a `curv` or `para` tone curve (ICC.1, 10.6 and 10.18) at `x`, 0 to 1; undefined for types of curve that sRGB profiles do not
 * use.
 */
function evaluateCurve(curve: Buffer, x: number): number | undefined {
  const kind = curve.toString('latin1', 0, 4);
  if (kind === 'curv') {
    const count = curve.readUInt32BE(8);
    if (count < 2) return undefined;
    const position = x * (count - 1);
    const below = Math.floor(position);
    const low = curve.readUInt16BE(12 + below * 2);
    const high = curve.readUInt16BE(12 + Math.min(below + 1, count - 1) * 2);
    return (low + (high - low) * (position - below)) / 65535;
  }
  if (kind !== 'para' || curve.readUInt16BE(8) !== 3) return undefined;
  const [gamma, a, b, c, d] = [
    fixed(curve, 12),
    fixed(curve, 16),
    fixed(curve, 20),
    fixed(curve, 24),
    fixed(curve, 28),
  ];
  return x >= d ? (a * x + b) ** gamma : c * x;
}

function hasSrgbTags(tags: Map<string, Buffer>): boolean {
  // A lookup table overrides primaries and curves, so their values would prove nothing.
  if (tags.has('A2B0') || tags.has('A2B1')) return false;
  const primaries = Object.entries(SRGB_COLUMNS).every(([name, expected]) => {
    const tag = tags.get(name);
    return (
      tag !== undefined &&
      expected.every((value, axis) => Math.abs(fixed(tag, 8 + axis * 4) - value) < PRIMARY_TOLERANCE)
    );
  });
  const curves = ['rTRC', 'gTRC', 'bTRC'].every((name) => {
    const tag = tags.get(name);
    return (
      tag !== undefined &&
      CURVE_SAMPLES.every((x) => Math.abs((evaluateCurve(tag, x) ?? -1) - srgbToLinear(x)) < CURVE_TOLERANCE)
    );
  });
  return primaries && curves;
}

/**
 * Whether an embedded ICC profile is equivalent to sRGB. Cameras embed such a profile in most photos; converting from it changes nothing
 * and would take as long as the decoding itself.
 */
export function isSrgbProfile(profile: Buffer): boolean {
  try {
    return profile.toString('latin1', 16, 20) === 'RGB ' && hasSrgbTags(readTags(profile));
  } catch (error) {
    // A truncated profile causes reads beyond its end; libvips decides how to treat it.
    if (error instanceof RangeError) return false;
    throw error;
  }
}

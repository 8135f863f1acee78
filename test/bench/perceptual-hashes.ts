import sharp from 'sharp';

const BITS = 64;

async function greyOf(file: string, width: number, height: number): Promise<Buffer> {
  return sharp(file, { failOn: 'none' })
    .autoOrient()
    .flatten({ background: '#808080' })
    .greyscale()
    .resize(width, height, { fit: 'fill' })
    .raw()
    .toBuffer();
}

/** Gradient hash of 64 bits (dHash: Krawetz, "Kind of Like That", 2013). */
export async function differenceHash(file: string): Promise<bigint> {
  const grey = await greyOf(file, 9, 8);
  return fromBits((at) => {
    const from = Math.floor(at / 8) * 9 + (at % 8);
    return (grey[from] ?? 0) < (grey[from + 1] ?? 0);
  });
}

/** DCT hash of 64 bits (pHash: Zauner, "Implementation and Benchmarking of Perceptual Image Hash Functions", 2010). */
export async function cosineHash(file: string): Promise<bigint> {
  const [side, kept] = [32, 8];
  const grey = await greyOf(file, side, side);
  const wave = (frequency: number, at: number) => Math.cos((Math.PI * (at + 0.5) * frequency) / side);
  const coefficients = Array.from({ length: kept * kept }, (_, place) => {
    const [v, u] = [Math.floor(place / kept), place % kept];
    return grey.reduce((sum, level, at) => sum + level * wave(u, at % side) * wave(v, Math.floor(at / side)), 0);
  });
  const middle = coefficients.slice(1).sort((a, b) => a - b)[Math.floor((BITS - 1) / 2)] ?? 0;
  return fromBits((at) => (coefficients[at] ?? 0) > middle);
}

export function hammingDistance(a: bigint, b: bigint): number {
  let [bits, left] = [0, a ^ b];
  for (; left > 0n; left >>= 32n) {
    let word = Number(left & 0xffff_ffffn);
    for (; word !== 0; word &= word - 1) bits += 1;
  }
  return bits;
}

function fromBits(isSet: (at: number) => boolean): bigint {
  let hash = 0n;
  for (let at = 0; at < BITS; at += 1) if (isSet(at)) hash |= 1n << BigInt(at);
  return hash;
}

import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { type DecodedImage, decodeImage } from '../../src-main/infra/images/decode-image.ts';
import { ImageProblem } from '../../src-main/infra/images/image-problem.ts';
import { buildTiff, packBits, type TiffKind } from '../support/tiff.ts';

const SIDE = 32;
const PIXELS = SIDE ** 2;
const options = { pixelLimit: 1e9 };
const RGB = { photometric: 2 };
const GREY = { photometric: 1 };

function decode(bytes: Buffer): Promise<DecodedImage> {
  return decodeImage(bytes, options);
}

async function problemOf(bytes: Buffer): Promise<ImageProblem> {
  const outcome: unknown = await decode(bytes).catch((error: unknown) => error);
  expect(outcome).toBeInstanceOf(ImageProblem);
  return outcome as ImageProblem;
}

/** One pixel's samples, everywhere. */
function everywhere(samples: readonly number[], bytesEach = 1): Buffer {
  const pixel = Buffer.alloc(samples.length * bytesEach);
  for (const [at, sample] of samples.entries()) pixel.writeUIntLE(sample, at * bytesEach, bytesEach);
  return Buffer.alloc(PIXELS * pixel.length, pixel);
}

function packed(samples: readonly number[], bits: number): Buffer {
  const row = Array.from({ length: SIDE }, () => samples).flat();
  return packBits(Array<number[]>(SIDE).fill(row), bits);
}

const ORANGE = [220, 120, 30] as const;
const wide = (level: number, bits: number) => Math.round((level / 255) * (2 ** bits - 1));
const plane = (level: number) => Buffer.alloc(PIXELS, level);
const tiles = ORANGE.flatMap((level) => Array.from({ length: 4 }, () => Buffer.alloc(16 * 16, level)));

const kinds: [name: string, kind: TiffKind, parts: Buffer[], expected: readonly number[]][] = [
  ['CIELab', { bits: [8, 8, 8], photometric: 8 }, [everywhere([136, 80, 67])], [255, 0, 0]],
  ['12 bits, grey', { bits: [12], ...GREY }, [packed([wide(120, 12)], 12)], [120, 120, 120]],
  ['10 bits, grey', { bits: [10], ...GREY }, [packed([wide(120, 10)], 10)], [120, 120, 120]],
  [
    '12 bits, colour',
    { bits: [12, 12, 12], ...RGB },
    [
      packed(
        ORANGE.map((level) => wide(level, 12)),
        12,
      ),
    ],
    ORANGE,
  ],
  [
    'ten samples of 32 bits',
    { bits: Array<number>(10).fill(32), ...GREY, extra: Array<number>(9).fill(0) },
    [everywhere(Array<number>(10).fill(wide(120, 32)), 4)],
    [120, 120, 120],
  ],
  [
    'ten samples of 8 bits',
    { bits: Array<number>(10).fill(8), ...RGB, extra: Array<number>(7).fill(0) },
    [everywhere([...ORANGE, 1, 2, 3, 4, 5, 6, 7])],
    ORANGE,
  ],
  ['planes in tiles', { bits: [8, 8, 8], ...RGB, planar: true, tile_px: 16 }, tiles, ORANGE],
  [
    'planes with extra samples',
    { bits: [8, 8, 8, 8, 8], ...RGB, planar: true, extra: [0, 0] },
    [...ORANGE.map(plane), plane(7), plane(9)],
    ORANGE,
  ],
];

describe('kinds of TIFF that libvips does not know', () => {
  it.each(kinds)('%s are decoded in their colours', async (_name, kind, parts, expected) => {
    const { width, height, format, working } = await decode(buildTiff(SIDE, kind, parts));
    expect({ width, height, format }).toEqual({ width: SIDE, height: SIDE, format: 'tiff' });
    for (const [channel, level] of expected.entries()) {
      expect(Math.abs((working.data[channel] ?? 0) - level), `${working.data.subarray(0, 3).join()}`).toBeLessThan(10);
    }
  });

  it.each([
    ['LZMA', 34925, 2],
    ['old JPEG', 6, 6],
  ])('%s is said to be of an unsupported kind', async (_name, compression, photometric) => {
    const parts = [Buffer.alloc(900, 7)];
    const problem = await problemOf(buildTiff(SIDE, { bits: [8, 8, 8], photometric, compression }, parts));
    expect(problem).toMatchObject({ kind: 'unsupported', reason: expect.stringContaining('cannot be decoded here') });
  });

  it('one whose data are missing is still damaged', async () => {
    const whole = buildTiff(SIDE, { bits: [8, 8, 8], ...RGB }, [everywhere(ORANGE)]);
    const entries = whole.readUInt32LE(4);
    const strip = Array.from({ length: whole.readUInt16LE(entries) }, (_, at) => entries + 2 + at * 12).find(
      (at) => whole.readUInt16LE(at) === 273,
    );
    whole.writeUInt32LE(whole.length - 100, (strip ?? 0) + 8);
    expect(await problemOf(whole)).toMatchObject({ kind: 'corrupt' });
  });
});

it('compressed OS/2 bitmaps and AVIF image sequences are said to be of an unsupported kind', async () => {
  const bitmap = Buffer.alloc(178);
  bitmap.write('BM', 'latin1');
  const fields = [
    [10, 78],
    [14, 64],
    [18, 8],
    [22, 8],
    [26, 1 + 24 * 65_536],
    [30, 4],
    [34, 100],
  ] as const;
  for (const [at, value] of fields) bitmap.writeUInt32LE(value, at);
  expect(await problemOf(bitmap)).toMatchObject({ kind: 'unsupported', reason: expect.stringContaining('OS/2') });

  const avif = await sharp({ create: { width: 16, height: 16, channels: 3, background: '#808080' } })
    .avif()
    .toBuffer();
  avif.write('avis', 8, 'latin1');
  const sequence = avif.subarray(0, avif.length - 40);
  expect(await problemOf(sequence)).toMatchObject({
    kind: 'unsupported',
    reason: expect.stringContaining('image sequences'),
  });
});

describe('memory for decoding', () => {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
    const framed = Buffer.alloc(8 + body.length);
    framed.writeUInt32BE(data.length, 0);
    body.copy(framed, 4);
    framed.writeUInt32BE(crc32(body), 4 + body.length);
    return framed;
  };

  it('an interlaced image of 16 bits that would take more than a process may is set aside before it is decoded', async () => {
    const header = Buffer.alloc(13);
    header.writeUInt32BE(14_000, 0);
    header.writeUInt32BE(14_000, 4);
    header.set([16, 6, 0, 0, 1], 8);
    const signature = Buffer.from('89504e470d0a1a0a', 'hex');
    const data = deflateSync(Buffer.alloc(100_000));
    const png = Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', data), chunk('IEND', Buffer.alloc(0))]);
    const before = process.memoryUsage().rss;
    expect(await problemOf(png)).toMatchObject({
      kind: 'too_large',
      reason: 'Decoding the image takes 1.5 GiB of memory, more than the limit of 1.0 GiB.',
    });
    expect(process.memoryUsage().rss - before).toBeLessThan(100e6);
  });
});

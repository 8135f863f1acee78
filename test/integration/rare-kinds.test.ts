import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { type DecodedImage, decodeImage } from '../../src-main/infra/images/decode-image.ts';
import { ImageProblem } from '../../src-main/infra/images/image-problem.ts';
import { encoderMissing, makeWithFfmpeg, muxerMissing } from '../support/ffmpeg.ts';
import { needs } from '../support/needs.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
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

/** Returns image data in which every pixel has the same samples. */
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
  ['14 bits, grey', { bits: [14], ...GREY }, [packed([wide(120, 14)], 14)], [120, 120, 120]],
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
    'planes of 16 bits with extra samples',
    { bits: [16, 16, 16, 16, 16], ...RGB, planar: true, extra: [0, 0] },
    [...ORANGE, 7, 9].map((level) => everywhere([level * 257], 2)),
    ORANGE,
  ],
  [
    'planes with extra samples',
    { bits: [8, 8, 8, 8, 8], ...RGB, planar: true, extra: [0, 0] },
    [...ORANGE.map(plane), plane(7), plane(9)],
    ORANGE,
  ],
];

describe('kinds of TIFF that libvips does not support', () => {
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
  ])('%s is reported as an unsupported kind', async (_name, compression, photometric) => {
    const parts = [Buffer.alloc(900, 7)];
    const problem = await problemOf(buildTiff(SIDE, { bits: [8, 8, 8], photometric, compression }, parts));
    expect(problem).toMatchObject({ kind: 'unsupported', message: expect.stringContaining('cannot be decoded here') });
  });

  it('planes in tiles with extra samples are reported as an unsupported kind', async () => {
    const kind = { bits: [8, 8, 8, 8, 8], ...RGB, planar: true, tile_px: 16, extra: [0, 0] };
    const parts = [...tiles, ...Array.from({ length: 8 }, () => Buffer.alloc(16 * 16, 9))];
    expect(await problemOf(buildTiff(SIDE, kind, parts))).toMatchObject({
      kind: 'unsupported',
      message: expect.stringContaining('cannot be decoded here'),
    });
  });

  it('one with missing data is reported as damaged', async () => {
    const whole = buildTiff(SIDE, { bits: [8, 8, 8], ...RGB }, [everywhere(ORANGE)]);
    const entries = whole.readUInt32LE(4);
    const strip = Array.from({ length: whole.readUInt16LE(entries) }, (_, at) => entries + 2 + at * 12).find(
      (at) => whole.readUInt16LE(at) === 273,
    );
    whole.writeUInt32LE(whole.length - 100, (strip ?? 0) + 8);
    expect(await problemOf(whole)).toMatchObject({ kind: 'corrupt' });
  });
});

describe('kinds of BMP', () => {
  const bitmap = (headerBytes: number, bits: number, compression: number) => {
    const bytes = Buffer.alloc(178);
    bytes.write('BM', 'latin1');
    const fields = [
      [10, 78],
      [14, headerBytes],
      [18, 8],
      [22, 8],
      [26, 1 + bits * 65_536],
      [30, compression],
      [34, 100],
    ] as const;
    for (const [at, value] of fields) bytes.writeUInt32LE(value, at);
    return bytes;
  };

  it.each([
    ['OS/2 Huffman', 64, 1, 3],
    ['OS/2 run lengths of 24 bits', 64, 24, 4],
    ['JPEG inside', 40, 0, 4],
  ])('%s are reported as an unsupported kind', async (_name, headerBytes, bits, compression) => {
    const problem = await problemOf(bitmap(headerBytes, bits, compression));
    expect(problem).toMatchObject({ kind: 'unsupported', message: expect.stringContaining('cannot be decoded here') });
  });
});

describe('AVIF image sequences', () => {
  const still = () =>
    sharp({ create: { width: 16, height: 16, channels: 3, background: '#c86432' } })
      .avif({ quality: 90 })
      .toBuffer();
  /** A still image with the brand of image sequences, as if it also contained one. */
  const sequence = async () => {
    const bytes = await still();
    bytes.write('avis', 8, 'latin1');
    return bytes;
  };

  it('are shown by their primary image', async () => {
    const { working, format } = await decode(await sequence());
    expect(format).toBe('avif');
    for (const [channel, level] of [200, 100, 50].entries()) {
      expect(Math.abs((working.data[channel] ?? 0) - level)).toBeLessThan(8);
    }
  });

  it('without a primary image are reported as an unsupported kind, and damaged ones as damaged', async () => {
    const bare = await sequence();
    bare.write('free', bare.indexOf('meta'), 'latin1');
    expect(await problemOf(bare)).toMatchObject({
      kind: 'unsupported',
      message: expect.stringContaining('image sequences'),
    });
    const whole = await sequence();
    expect(await problemOf(whole.subarray(0, whole.length - 40))).toMatchObject({ kind: 'corrupt' });
  });

  describe('written by a video encoder', needs(encoderMissing('libaom-av1') ?? muxerMissing('avif')), () => {
    it.each([
      ['8 bits', 'yuv420p'],
      ['full colour', 'yuv444p'],
      ['10 bits', 'yuv420p10le'],
      ['12 bits', 'yuv444p12le'],
      ['grey', 'gray'],
    ])('of %s show their first image', async (_name, pixels) => {
      const file = join(await temporaryFolder(), 'sequence.avif');
      const source = ['-f', 'lavfi', '-i', 'color=c=0xc8c8c8:size=64x48:rate=5:duration=1'];
      makeWithFfmpeg([...source, '-c:v', 'libaom-av1', '-cpu-used', '8', '-pix_fmt', pixels, '-f', 'avif', file]);
      const bytes = await readFile(file);
      expect(bytes.toString('latin1', 8, 12)).toBe('avis');
      const { width, height, working } = await decode(bytes);
      expect({ width, height }).toEqual({ width: 64, height: 48 });
      expect(Math.abs((working.data[0] ?? 0) - 200)).toBeLessThan(8);
    });
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

  it('an interlaced 16-bit image that needs too much memory is set aside before it is decoded', async () => {
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
      message: 'Decoding the image takes 1.5 GiB of memory, more than the limit of 1.0 GiB.',
    });
    expect(process.memoryUsage().rss - before).toBeLessThan(100e6);
  });
});

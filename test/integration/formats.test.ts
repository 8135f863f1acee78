import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import sharp, { type Sharp } from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeImage } from '../../src-main/infra/images/describe-image.ts';
import { readExif } from '../../src-main/infra/images/exif.ts';
import { ImageProblem } from '../../src-main/infra/images/image-problem.ts';
import { encoderMissing, makeWithFfmpeg } from '../support/ffmpeg.ts';
import { buildHeif } from '../support/heif.ts';
import { findMedia } from '../support/media.ts';
import { needs } from '../support/needs.ts';
import { repository } from '../support/server.ts';
import { describedFor, stretchedTo } from '../support/shared-models.ts';

const options = describedFor(stretchedTo(64));
const media = findMedia();
const root = 'root' in media ? media.root : '';
let folder = '';

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'vitrine-formats-'));
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

async function problemOf(source: string | Buffer, changed: Partial<typeof options> = {}): Promise<ImageProblem> {
  const outcome = await describeImage(source, { ...options, ...changed }).catch((error: unknown) => error);
  expect(outcome).toBeInstanceOf(ImageProblem);
  const problem = outcome as ImageProblem;
  expect(problem.message).toMatch(/^[A-Z].*\.$/);
  return problem;
}

function meanDifference(a: Uint8Array, b: Uint8Array): number {
  expect(a.length).toBe(b.length);
  return a.reduce((sum, value, index) => sum + Math.abs(value - (b[index] ?? 0)), 0) / a.length;
}

/** Maximum growth of this process's memory in bytes after an image was refused. */
const REFUSAL_BYTES = 200 * 1024 * 1024;

/** Builds a BMP with the given header, a correct size field and `n_bytes` of pixels with one colour pattern. */
function bmp(width: number, height: number, bits: number, nBytes: number, compression = 0): Buffer {
  const file = Buffer.alloc(54 + nBytes);
  file.write('BM', 0, 'latin1');
  file.writeUInt32LE(file.length, 2);
  file.writeUInt32LE(54, 10);
  file.writeUInt32LE(40, 14);
  file.writeInt32LE(width, 18);
  file.writeInt32LE(height, 22);
  file.writeUInt16LE(1, 26);
  file.writeUInt16LE(bits, 28);
  file.writeUInt32LE(compression, 30);
  file.writeUInt32LE(nBytes, 34);
  if (bits === 24) file.fill(Buffer.from([0xff, 0x80, 0x00]), 54);
  return file;
}

describe('formats libvips lacks, from bytes made here', () => {
  it('reads BMP in its right colours, from the bottom up and from the top down', async () => {
    for (const height of [30, -30]) {
      const found = await describeImage(bmp(40, height, 24, 40 * 3 * 30), options);
      expect(found).toMatchObject({ width: 40, height: 30, format: 'bmp', pages: 1, has_alpha: false });
      expect(Array.from(found.model_input.data.slice(0, 3))).toEqual([0x00, 0x80, 0xff]);
    }
  });

  it('refuses headers that lie about the size before it allocates', async () => {
    await problemOf(bmp(16_000, 16_000, 24, 0));
    const before = process.memoryUsage().rss;
    const lies = [
      bmp(16_000, 16_000, 24, 3000),
      bmp(16_000, 16_000, 24, 3_000_000),
      bmp(16_000, 16_000, 8, 3000, 1),
      bmp(0x7fffffff, 0x7fffffff, 24, 3000),
      bmp(0x7fffffff, 1, 1, 3000),
    ];
    for (const lie of lies) expect(['corrupt', 'too_large']).toContain((await problemOf(lie)).kind);
    expect(process.memoryUsage().rss - before).toBeLessThan(REFUSAL_BYTES);
    // The decoder still works after all refusals.
    await expect(describeImage(bmp(40, 30, 24, 40 * 3 * 30), options)).resolves.toMatchObject({ width: 40 });
  });

  it('takes a BMP that is cut short for corrupt, and one above the limit for too large', async () => {
    const whole = bmp(200, 100, 24, 200 * 3 * 100);
    expect((await problemOf(whole.subarray(0, 20_000))).kind).toBe('corrupt');
    const problem = await problemOf(whole, { pixelLimit: 19_999 });
    expect(problem.kind).toBe('too_large');
    expect(problem.message).toContain('200 × 100');
  });

  it('reads portable anymaps, plain and binary', async () => {
    const plain = await describeImage(Buffer.from('P3 2 1 255 255 0 0 0 0 255\n'), options);
    expect(plain).toMatchObject({ width: 2, height: 1, format: 'pnm' });
    const deep = Buffer.concat([
      Buffer.from('P6\n8 8\n65535\n'),
      Buffer.alloc(8 * 8 * 6, Buffer.from([0xff, 0xff, 0, 0, 0x80, 0])),
    ]);
    const { model_input } = await describeImage(deep, options);
    expect(Array.from(model_input.data.slice(0, 3))).toEqual([255, 0, 128]);
  });
});

describe('formats libvips lacks, real files', needs(media), () => {
  const odd = (...parts: string[]) => join(root, 'odd', ...parts);

  it('decodes HEVC HEIC as its AVIF sibling shows such photos: in colour, upright, with its page count', async () => {
    const found = await describeImage(odd('heif', 'example.heic'), options);
    expect(found).toMatchObject({ width: 1280, height: 854, format: 'heic', pages: 2, has_alpha: false });
    expect(found.quality.colourfulness).toBeGreaterThan(15);
    expect(found.quality.sharpness).toBeGreaterThan(50);
    await expect(describeImage(odd('smallest_files', 'heif.heif'), options)).resolves.toMatchObject({ width: 64 });
  });

  it('exchanges red and blue of HEIC on request', async () => {
    const [red = 0, green = 0, blue = 0] = (await describeImage(odd('heif', 'example.heic'), options)).model_input.data;
    const swapped = await describeImage(odd('heif', 'example.heic'), { ...options, swapRgb: true });
    expect(Array.from(swapped.model_input.data.slice(0, 3))).toEqual([blue, green, red]);
  });

  it('decodes JPEG 2000, boxed and bare, in tiles and tile parts', async () => {
    const boxed = await describeImage(odd('sharp_fixtures', 'relax_tileparts.jp2'), options);
    const bare = await describeImage(odd('sharp_fixtures', 'relax.jp2'), options);
    expect(boxed).toMatchObject({ width: 320, height: 240, format: 'jp2', pages: 1 });
    expect(meanDifference(boxed.model_input.data, bare.model_input.data)).toBeLessThan(6);
    expect(boxed.quality.colourfulness).toBeGreaterThan(10);
  });

  it('decodes BMP, icons, JPEG XL and anymaps', async () => {
    const files: [string, string, number][] = [
      ['bmp.bmp', 'bmp', 1],
      ['ico.ico', 'ico', 1],
      ['jpeg2.jp2', 'jp2', 1],
      ['jxl.jxl', 'jxl', 256],
      ...['ppm', 'ppmb', 'pgm', 'pgmb', 'pbm', 'pbmb'].map((name): [string, string, number] => [
        `${name}.${name.slice(0, 3)}`,
        'pnm',
        1,
      ]),
    ];
    for (const [name, format, width] of files) {
      expect(await describeImage(odd('smallest_files', name), options), name).toMatchObject({ format, width });
    }
    const same = join(root, 'near-duplicates', 'imagededup', 'formats_images');
    for (const name of ['baboon.pgm', 'Iggy.1024.ppm', 'marbles.pbm']) {
      const found = await describeImage(join(same, name), options);
      expect(found.format, name).toBe('pnm');
      expect(found.quality.contrast, name).toBeGreaterThan(0.05);
    }
  });

  it('refuses what is cut short anywhere, and lying sizes, without memory to match', async () => {
    const heic = readFileSync(odd('heif', 'example.heic'));
    const jp2 = readFileSync(odd('sharp_fixtures', 'relax.jp2'));
    for (const share of [0.0005, 0.01, 0.3]) {
      expect((await problemOf(heic.subarray(0, Math.ceil(heic.length * share)))).kind).toMatch(/corrupt|unsupported/);
    }
    for (const share of [0.0005, 0.01, 0.3, 0.9]) {
      expect((await problemOf(jp2.subarray(0, Math.ceil(jp2.length * share)))).kind).toBe('corrupt');
    }
    const before = process.memoryUsage().rss;
    const swollen = Buffer.from(heic);
    for (let at = swollen.indexOf('ispe'); at >= 0; at = swollen.indexOf('ispe', at + 4)) {
      swollen.writeUInt32BE(14_000, at + 8);
      swollen.writeUInt32BE(14_000, at + 12);
    }
    expect((await problemOf(swollen)).kind).toBe('corrupt');
    const wide = Buffer.from(jp2);
    const size = wide.indexOf(Buffer.from([0xff, 0x51]));
    for (const at of [6, 10, 22, 26]) wide.writeUInt32BE(14_000, size + at);
    expect((await problemOf(wide)).kind).toMatch(/corrupt|too_large/);
    // Without smaller resolutions, the whole image would have to be decoded.
    wide.writeUInt8(0, wide.indexOf(Buffer.from([0xff, 0x52])) + 9);
    expect(await problemOf(wide)).toMatchObject({
      kind: 'too_large',
      reason: { code: 'jpeg2000_memory_refused', params: { width: 14_000, height: 14_000 } },
    });
    expect(process.memoryUsage().rss - before).toBeLessThan(REFUSAL_BYTES);
    for (const bytes of [heic, jp2]) expect((await problemOf(bytes, { pixelLimit: 50_000 })).kind).toBe('too_large');
    await expect(describeImage(heic, options)).resolves.toMatchObject({ width: 1280 });
    await expect(describeImage(jp2, options)).resolves.toMatchObject({ width: 320 });
  });

  it('survives random damage', async () => {
    let state = 11;
    const random = (below: number): number => {
      state = (state * 1103515245 + 12345) % 2147483648;
      return state % below;
    };
    const names = [
      'heif/example.heic',
      'sharp_fixtures/relax.jp2',
      'smallest_files/ico.ico',
      'smallest_files/heif.heif',
    ];
    for (const name of names) {
      const whole = readFileSync(odd(name));
      for (let round = 0; round < 8; round += 1) {
        const hurt = Buffer.from(whole);
        for (let hit = 0; hit < 6; hit += 1) hurt[12 + random(Math.min(hurt.length - 12, 3000))] = random(256);
        const outcome = await describeImage(hurt, options).catch((error: unknown) => error);
        if (outcome instanceof Error) expect(outcome, name).toBeInstanceOf(ImageProblem);
      }
    }
  });
});

describe('formats written by ffmpeg', needs(media, encoderMissing('libx265'), encoderMissing('libopenjpeg')), () => {
  const photo = join(root, 'odd', 'exif_orientation', 'Landscape_1.jpg');
  const size = { width: 320, height: 200 };
  const make = (name: string, pixels: string, ...encoder: string[]): string => {
    const path = join(folder, name);
    makeWithFfmpeg(['-i', photo, '-vf', `scale=320:200,format=${pixels}`, '-frames:v', '1', ...encoder, path]);
    return path;
  };
  const hevc = (pixels: string): Buffer =>
    readFileSync(make(`${pixels}.hevc`, pixels, '-c:v', 'libx265', '-x265-params', 'log-level=none', '-f', 'hevc'));
  const reference = async (): Promise<Uint8Array> => (await describeImage(photo, options)).model_input.data;

  it('applies the rotation of a HEIC container', async () => {
    const bytes = hevc('yuv420p');
    const upright = (await sharp(photo).resize(64, 64, { fit: 'fill', kernel: 'cubic' }).raw().toBuffer()) as Buffer;
    for (const quarterTurns of [0, 1, 2, 3]) {
      const found = await describeImage(buildHeif({ hevc: bytes, ...size, quarterTurns }), options);
      expect([found.width, found.height]).toEqual(quarterTurns % 2 === 0 ? [320, 200] : [200, 320]);
      const raw = { width: 64, height: 64, channels: 3 as const };
      const turned = await sharp(upright, { raw })
        .rotate(-90 * quarterTurns)
        .raw()
        .toBuffer();
      expect(meanDifference(found.model_input.data, turned)).toBeLessThan(9);
    }
  });

  it('reads 10-bit HEIC, and converts from the profile it carries', async () => {
    const deep = await describeImage(buildHeif({ hevc: hevc('yuv420p10le'), ...size, bits: 10 }), options);
    expect(meanDifference(deep.model_input.data, await reference())).toBeLessThan(6);
    const swatch = { create: { width: 8, height: 8, channels: 3 as const, background: '#808080' } };
    const { icc } = await sharp(await sharp(swatch).withIccProfile('p3').jpeg().toBuffer()).metadata();
    if (icc === undefined) throw new Error('no profile');
    const bytes = hevc('yuv420p');
    const plain = await describeImage(buildHeif({ hevc: bytes, ...size }), options);
    const wide = await describeImage(buildHeif({ hevc: bytes, ...size, icc }), options);
    const shift = meanDifference(plain.model_input.data, wide.model_input.data);
    expect(shift).toBeGreaterThan(0.5);
    expect(shift).toBeLessThan(12);
    expect(wide.quality.colourfulness).toBeGreaterThan(plain.quality.colourfulness);
  });

  it('reads every kind of BMP alike', async () => {
    const expected = await reference();
    const coarse: Record<string, number> = { rgb8: 25, pal8: 25, gray: 25, monob: 40, rgb444le: 12 };
    for (const pixels of [
      'bgr24',
      'bgr0',
      'bgra',
      'rgb565le',
      'rgb555le',
      'rgb444le',
      'rgb8',
      'pal8',
      'gray',
      'monob',
    ]) {
      const found = await describeImage(make(`${pixels}.bmp`, pixels, '-c:v', 'bmp'), options);
      expect(found, pixels).toMatchObject({ ...size, format: 'bmp' });
      expect(meanDifference(found.model_input.data, expected), pixels).toBeLessThan(coarse[pixels] ?? 6);
    }
  });

  it('reads JPEG 2000 in 8 and 16 bits, grey, colour and with reduced chroma', async () => {
    const expected = await reference();
    const limits = { rgb24: 4, rgb48be: 4, rgba64be: 4, gray: 25, gray16be: 25, yuv420p: 14, yuv444p: 14 };
    for (const [pixels, limit] of Object.entries(limits)) {
      const found = await describeImage(
        make(`${pixels}.jp2`, pixels, '-c:v', 'libopenjpeg', '-format', 'jp2'),
        options,
      );
      expect(found, pixels).toMatchObject({ ...size, format: 'jp2' });
      expect(meanDifference(found.model_input.data, expected), pixels).toBeLessThan(limit);
    }
  });

  it('keeps a process that decodes large JPEG 2000 images below 1 GiB', { timeout: 120_000 }, () => {
    const large = join(folder, 'large.jp2');
    const encoder = ['-frames:v', '1', '-c:v', 'libopenjpeg', '-pix_fmt', 'rgb24', '-format', 'jp2'];
    makeWithFfmpeg(['-f', 'lavfi', '-i', 'testsrc2=size=7000x7000', ...encoder, large]);
    const script = `
      const { readFileSync } = await import('node:fs');
      const { decodeImage } = await import(process.argv[1]);
      const bytes = readFileSync(process.argv[2]);
      const sizes = [];
      for (let time = 0; time < 2; time += 1) {
        const { width, height, working } = await decodeImage(bytes, { pixelLimit: 1e9 });
        sizes.push([width, height, working.width]);
      }
      console.log(JSON.stringify({ sizes, peak_bytes: process.resourceUsage().maxRSS * 1024 }));`;
    const decoder = pathToFileURL(join(repository, 'src-main', 'infra', 'images', 'decode-image.ts')).href;
    const run = spawnSync(process.execPath, ['--input-type=module', '-e', script, decoder, large], {
      encoding: 'utf8',
    });
    const { sizes, peak_bytes } = JSON.parse(run.stdout) as { sizes: number[][]; peak_bytes: number };
    expect(sizes).toEqual([
      [7000, 7000, 512],
      [7000, 7000, 512],
    ]);
    expect(peak_bytes).toBeLessThan(1024 ** 3);
  });

  it('reads the EXIF of a HEIC', async () => {
    const tagged = await sharp({ create: { width: 8, height: 8, channels: 3, background: 'red' } })
      .withExif({ IFD0: { Make: 'Acme', Model: 'One' } })
      .jpeg()
      .toBuffer();
    const { exif } = await sharp(tagged).metadata();
    const bytes = buildHeif({ hevc: hevc('yuv420p'), ...size, ...(exif && { exif: exif.subarray(6) }) });
    expect((await describeImage(bytes, options)).exif).toMatchObject({ camera: 'Acme One' });
  });
});

describe('readExif', () => {
  const tagged = (exif: NonNullable<Parameters<Sharp['withExif']>[0]>) =>
    sharp({ create: { width: 8, height: 8, channels: 3, background: 'red' } }).withExif(exif);
  const full = tagged({
    IFD0: { Make: 'Canon', Model: 'Canon EOS 40D' },
    IFD2: { DateTimeOriginal: '2024:02:29 10:11:12', OffsetTimeOriginal: '+02:00', LensModel: 'EF 50mm' },
    IFD3: {
      GPSLatitudeRef: 'S',
      GPSLatitude: '33/1 51/1 3546/100',
      GPSLongitudeRef: 'E',
      GPSLongitude: '151/1 12/1 50/1',
    },
  });

  it('gives camera, lens, time with offset and place in degrees, from every container', async () => {
    for (const format of ['jpeg', 'png', 'webp', 'avif'] as const) {
      expect(await readExif(await full.clone().toFormat(format).toBuffer()), format).toEqual({
        camera: 'Canon EOS 40D',
        lens: 'EF 50mm',
        taken_at: '2024-02-29T10:11:12+02:00',
        latitude: -33.85985,
        longitude: 151.2138889,
      });
    }
  });

  it('gives null for what is not there or makes no sense', async () => {
    const exifOf = async (exif: Parameters<typeof tagged>[0]) => readExif(await tagged(exif).jpeg().toBuffer());
    expect(await readExif(bmp(4, 4, 24, 48))).toBeNull();
    expect(await readExif(Buffer.from('no image'))).toBeNull();
    expect(await exifOf({ IFD0: { Make: 'Acme' }, IFD2: { DateTimeOriginal: '0000:00:00 00:00:00' } })).toEqual({
      camera: 'Acme',
      lens: null,
      taken_at: null,
      latitude: null,
      longitude: null,
    });
    const badTime = await exifOf({ IFD2: { DateTimeOriginal: '2023:02:30 10:00:00', LensModel: 'L' } });
    expect(badTime?.taken_at).toBeNull();
    const noZone = await exifOf({ IFD2: { DateTimeOriginal: '2023:06:30 10:00:00' } });
    expect(noZone?.taken_at).toBe('2023-06-30T10:00:00');
    const far = { GPSLatitudeRef: 'N', GPSLatitude: '95/1 0/1 0/1', GPSLongitudeRef: 'E', GPSLongitude: '1/0 0/1 0/1' };
    expect(await exifOf({ IFD0: { Make: 'Acme' }, IFD3: far })).toMatchObject({ latitude: null, longitude: null });
  });

  it('takes random damage without failing or growing', async () => {
    const bytes = await full.clone().jpeg().toBuffer();
    let state = 5;
    const random = (below: number): number => {
      state = (state * 1103515245 + 12345) % 2147483648;
      return state % below;
    };
    const before = process.memoryUsage().rss;
    for (let round = 0; round < 500; round += 1) {
      const hurt = Buffer.from(bytes);
      for (let hit = 0; hit < 4; hit += 1) hurt[20 + random(400)] = random(256);
      await readExif(hurt);
    }
    expect(process.memoryUsage().rss - before).toBeLessThan(REFUSAL_BYTES);
  });

  it('reads what real cameras wrote', needs(media), async () => {
    const fixtures = join(root, 'odd', 'sharp_fixtures');
    const exifOf = async (name: string) => readExif(readFileSync(join(fixtures, name)));
    expect(await exifOf('Landscape_9.jpg')).toMatchObject({
      camera: 'Canon EOS 5D Mark III',
      taken_at: '2016-07-02T07:34:02',
    });
    expect(await exifOf('tifftag-photoshop.tiff')).toMatchObject({
      camera: 'FUJIFILM X-T2',
      lens: 'XF18-55mmF2.8-4 R LM OIS',
    });
    expect(readdirSync(fixtures).length).toBeGreaterThan(50);
  });
});

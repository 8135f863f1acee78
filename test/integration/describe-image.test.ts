import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEFAULT_PIXEL_LIMIT, decodeImage, WORKING_PX } from '../../src-main/infra/images/decode-image.ts';
import { describeImage, type ImageDescription } from '../../src-main/infra/images/describe-image.ts';
import type { PreparedImage } from '../../src-main/infra/images/image-input.ts';
import { ImageProblem } from '../../src-main/infra/images/image-problem.ts';
import { readStableFile } from '../../src-main/infra/images/read-file.ts';
import { THUMBNAIL_PX } from '../../src-main/infra/images/working-image.ts';
import { findMedia } from '../support/media.ts';
import { needs, posix } from '../support/needs.ts';
import { describedFor, stretchedTo } from '../support/shared-models.ts';

const MODEL_PX = 128;
const options = describedFor(stretchedTo(MODEL_PX));
const media = findMedia();
const root = 'root' in media ? media.root : '';
let folder = '';

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'vitrine-describe-'));
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** Returns the problem of a source. Fails if the source gives an image. */
async function problemOf(source: string | Buffer, limit = DEFAULT_PIXEL_LIMIT): Promise<ImageProblem> {
  const outcome = await describeImage(source, { ...options, pixelLimit: limit }).catch((error: unknown) => error);
  expect(outcome).toBeInstanceOf(ImageProblem);
  return outcome as ImageProblem;
}

function meanDifference(a: Uint8Array, b: Uint8Array): number {
  expect(a.length).toBe(b.length);
  return a.reduce((sum, value, index) => sum + Math.abs(value - (b[index] ?? 0)), 0) / a.length;
}

const flatPng = (colour: string, width = 40, height = 30): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 3, background: colour } })
    .png()
    .toBuffer();

describe('describeImage', () => {
  it('gives size, hash, thumbnail, statistics and model input of an image', async () => {
    const bytes = await sharp({ create: { width: 1600, height: 900, channels: 3, background: '#ff8000' } })
      .jpeg({ quality: 95 })
      .toBuffer();
    const path = join(folder, 'orange.png');
    writeFileSync(path, bytes);
    const found = await describeImage(path, options);
    expect(found).toMatchObject({ width: 1600, height: 900, format: 'jpeg', pages: 1, has_alpha: false });
    expect(found.content_hash).toBe(createHash('sha256').update(bytes).digest('hex'));
    expect(found.size_bytes).toBe(bytes.length);
    expect(found.mtime_ms).toBe(statSync(path).mtimeMs);
    const thumbnail = await sharp(found.thumbnail).metadata();
    expect(thumbnail).toMatchObject({ format: 'webp', width: THUMBNAIL_PX, height: 180 });
    expect(found.model_input.data.length).toBe(MODEL_PX * MODEL_PX * 3);
    expect(found.model_input.data[0]).toBeGreaterThan(250);
    expect(found.model_input.data[2]).toBeLessThan(5);
    expect(found.quality.mean_luma).toBeCloseTo((0.299 * 255 + 0.587 * 128) / 255, 1);
    expect(found.quality.entropy_bits).toBeLessThan(1);
    expect(found.quality.sharpness).toBeLessThan(1);
    expect(found.quality.colourfulness).toBeGreaterThan(50);
  });

  it('swaps red and blue of TIFF images on request, and not of others', async () => {
    const png = await flatPng('#ff0010');
    const tiff = await sharp(png).tiff({ compression: 'lzw' }).toBuffer();
    const swapped = await describeImage(tiff, { ...options, swapRgb: true });
    expect(Array.from(swapped.model_input.data.slice(0, 3))).toEqual([0x10, 0, 0xff]);
    const kept = await describeImage(png, { ...options, swapRgb: true });
    expect(Array.from(kept.model_input.data.slice(0, 3))).toEqual([0xff, 0, 0x10]);
  });

  it('measures sharpness and colour so that blur and grey are detected', async () => {
    const noise = Buffer.alloc(200 * 200 * 3);
    let state = 7;
    for (let at = 0; at < noise.length; at += 1) {
      state = (state * 1103515245 + 12345) % 2147483648;
      noise[at] = state >> 16;
    }
    const image = () => sharp(noise, { raw: { width: 200, height: 200, channels: 3 } });
    const crisp = (await describeImage(await image().png().toBuffer(), options)).quality;
    const soft = (await describeImage(await image().blur(3).png().toBuffer(), options)).quality;
    const grey = (await describeImage(await image().greyscale().png().toBuffer(), options)).quality;
    expect(soft.sharpness).toBeLessThan(crisp.sharpness / 50);
    expect(soft.edge_energy).toBeLessThan(crisp.edge_energy / 5);
    expect(grey.grey_share).toBe(1);
    expect(grey.colourfulness).toBe(0);
    expect(crisp.grey_share).toBeLessThan(0.1);
  });

  it('reports the problem of a file in plain words, without its path', async () => {
    const text = join(folder, 'notes.jpg');
    writeFileSync(text, 'not an image at all');
    const empty = join(folder, 'empty.png');
    writeFileSync(empty, '');
    mkdirSync(join(folder, 'folder.jpg'));
    const whole = await sharp({ create: { width: 300, height: 300, channels: 3, background: '#246' } })
      .png({ compressionLevel: 0 })
      .toBuffer();
    const cut = join(folder, 'cut.png');
    writeFileSync(cut, whole.subarray(0, 5000));
    const kinds = {
      [text]: 'unsupported',
      [empty]: 'empty',
      [join(folder, 'folder.jpg')]: 'unreadable',
      [join(folder, 'missing.jpg')]: 'unreadable',
      [cut]: 'corrupt',
    };
    for (const [path, kind] of Object.entries(kinds)) {
      const problem = await problemOf(path);
      expect(problem.kind).toBe(kind);
      expect(problem.message).not.toContain(folder);
      expect(problem.message).toMatch(/^[A-Z].*\.$/);
    }
  });

  it('refuses a pipe instead of waiting for it', needs(posix), async () => {
    const pipe = join(folder, 'pipe.jpg');
    execFileSync('mkfifo', [pipe]);
    expect((await problemOf(pipe)).kind).toBe('unreadable');
  });

  it('refuses images above the pixel limit and names their size', async () => {
    const problem = await problemOf(await flatPng('#fff', 200, 100), 19_999);
    expect(problem.kind).toBe('too_large');
    expect(problem.message).toContain('200 × 100');
    await expect(
      describeImage(await flatPng('#fff', 200, 100), { ...options, pixelLimit: 20_000 }),
    ).resolves.toBeDefined();
  });

  it('hashes a large file in chunks and decodes it from its path', async () => {
    const path = join(folder, 'held.png');
    const bytes = await flatPng('#123456');
    writeFileSync(path, bytes);
    const content = await readStableFile(path, 10);
    expect(content.input).toBe(path);
    expect(content.content_hash).toBe(createHash('sha256').update(bytes).digest('hex'));
    const { working } = await decodeImage(content.input, options, content.head);
    expect(Array.from(working.data.subarray(0, 3))).toEqual([0x12, 0x34, 0x56]);
  });
});

describe('describeImage on odd real files', needs(media), () => {
  const odd = (...parts: string[]) => join(root, 'odd', ...parts);
  const fixture = (name: string) => odd('sharp_fixtures', name);

  it('rejects every broken PNG of the PNG suite and reads every sound one', async () => {
    const files = readdirSync(odd('pngsuite', 'png')).filter((name) => name.endsWith('.png'));
    const broken = files.filter((name) => name.startsWith('x'));
    expect(broken).toHaveLength(14);
    for (const name of broken) expect((await problemOf(odd('pngsuite', 'png', name))).kind, name).toBe('corrupt');
    const sound = files.filter((name) => !name.startsWith('x'));
    expect(sound.length).toBeGreaterThan(150);
    for (const name of sound) {
      const found = await describeImage(odd('pngsuite', 'png', name), options);
      expect(found.format, name).toBe('png');
      expect(found.width * found.height, name).toBeGreaterThan(0);
    }
  });

  it('shows all EXIF orientations of a photo equally', async () => {
    for (const kind of ['Landscape', 'Portrait']) {
      const shown: ImageDescription<PreparedImage>[] = [];
      for (let orientation = 0; orientation <= 8; orientation += 1) {
        shown.push(await describeImage(odd('exif_orientation', `${kind}_${orientation}.jpg`), options));
      }
      const [first] = shown;
      if (first === undefined) throw new Error('no photo');
      expect(first.width > first.height).toBe(kind === 'Landscape');
      for (const one of shown) {
        expect([one.width, one.height]).toEqual([first.width, first.height]);
        expect(meanDifference(one.model_input.data, first.model_input.data)).toBeLessThan(6);
      }
    }
  });

  it('converts CMYK, 16-bit, Lab, palette, grey and transparent images to the same RGB', async () => {
    const inputOf = async (name: string) => (await describeImage(fixture(name), options)).model_input.data;
    const flag = await inputOf('Flag_of_the_Netherlands.png');
    expect(meanDifference(flag, await inputOf('Flag_of_the_Netherlands-16bit.png'))).toBeLessThan(2);
    const cmyk = await inputOf('Channel_digital_image_CMYK_color.jpg');
    expect(meanDifference(cmyk, await inputOf('Channel_digital_image_CMYK_color_no_profile.jpg'))).toBeLessThan(20);
    // Magenta and yellow at full coverage give a strong red.
    const [red = 0, green = 255, blue = 255] = await inputOf('fogra-0-100-100-0.tif');
    expect(red).toBeGreaterThan(180);
    expect(Math.max(green, blue)).toBeLessThan(60);
    const lab = await describeImage(fixture('cielab-dagams.tiff'), options);
    expect(lab.quality.colourfulness).toBeGreaterThan(20);
    const clear = await describeImage(fixture('full-transparent.png'), options);
    expect(clear.has_alpha).toBe(true);
    expect(clear.quality).toMatchObject({ grey_share: 1, contrast: 0 });
  });

  it('describes the first frame or page and counts the others', async () => {
    const pages = async (name: string) => (await describeImage(fixture(name), options)).pages;
    expect(await pages('rotating-squares.gif')).toBe(30);
    expect(await pages('rotating-squares.webp')).toBe(9);
    expect(await pages('G31D_MULTI.TIF')).toBe(2);
    expect(await describeImage(fixture('big-height.webp'), options)).toMatchObject({
      width: 13,
      height: 169,
      pages: 97,
    });
  });

  it('refuses huge images by the pixel limit', async () => {
    for (const name of ['giant-image.jpg', '65536-uint32-limit.png']) {
      expect((await problemOf(fixture(name))).kind, name).toBe('too_large');
    }
  });

  it('rejects truncated and damaged files and names formats that it cannot decode', async () => {
    for (const name of ['truncated.jpg', 'truncated.png', 'corrupt-header.jpg']) {
      expect((await problemOf(fixture(name))).kind, name).toBe('corrupt');
    }
    const small = (name: string) => odd('smallest_files', name);
    const named: [string, string][] = [
      [small('bpg.bpg'), 'BPG'],
      [small('WindowsMetafile.wmf'), 'Windows metafile'],
      [small('Mpeg4.mp4'), 'MP4 video'],
      [small('webm.webm'), 'WebM'],
      [small('zip.zip'), 'ZIP archive'],
      [small('tar.tar'), 'tar archive'],
    ];
    for (const [file, label] of named) {
      const problem = await problemOf(file);
      expect(problem.kind, label).toBe('unsupported');
      expect(problem.message).toContain(label);
    }
  });

  it('gives an image or a plain reason for every odd file', async () => {
    const files = readdirSync(odd(), { recursive: true, encoding: 'utf8' }).filter((name) =>
      statSync(odd(name)).isFile(),
    );
    expect(files.length).toBeGreaterThan(300);
    for (const name of files) {
      const outcome = await describeImage(odd(name), options).catch((error: unknown) => error);
      if (outcome instanceof ImageProblem) {
        expect(outcome.message, name).toMatch(/^[A-Z].*\.$/);
        expect(outcome.message, name).not.toContain(root);
      } else {
        const found = outcome as ImageDescription<PreparedImage>;
        expect(found.thumbnail.length, name).toBeGreaterThan(0);
        expect(Object.values(found.quality).every(Number.isFinite), name).toBe(true);
      }
    }
  });

  it('agrees with the published brightness of the quality sets and ranks blurred images below sharp ones', async () => {
    const rows = readFileSync(join(root, 'quality', 'GROUND_TRUTH.csv'), 'utf8')
      .trim()
      .split(/\r?\n/)
      .slice(1);
    const sharpness: Record<string, number[]> = { blurry: [], other: [] };
    for (const row of rows) {
      const columns = row.split(',');
      const [file = '', issue = '', strength = ''] = columns;
      const { quality } = await describeImage(join(root, file), options);
      expect(Math.abs(quality.mean_luma * 255 - Number(columns.at(-3))), file).toBeLessThan(4);
      if (strength !== 'strong') continue;
      if (issue === 'blurry') sharpness.blurry?.push(quality.sharpness);
      if (issue.endsWith('duplicate') || issue === 'grayscale') sharpness.other?.push(quality.sharpness);
    }
    expect(Math.max(...(sharpness.blurry ?? []))).toBeLessThan(Math.min(...(sharpness.other ?? [])));
  });

  it('never returns more than the working size', async () => {
    const bytes = readFileSync(fixture('2569067123_aca715a2ee_o.jpg'));
    const { working } = await decodeImage(bytes, options);
    expect(Math.max(working.width, working.height)).toBe(WORKING_PX);
    expect(working.data.length).toBe(working.width * working.height * 3);
  });
});

import sharp, { type Sharp } from 'sharp';

/** An image to be edited, and its size in pixels. */
interface Edited {
  image: Sharp;
  width: number;
  height: number;
}

const crop = ({ image, width, height }: Edited, part: number): Sharp => {
  const [w, h] = [Math.round(width * part), Math.round(height * part)];
  return image.extract({
    left: Math.round((width - w) * 0.4),
    top: Math.round((height - h) * 0.6),
    width: w,
    height: h,
  });
};
const logo = ({ image, width, height }: Edited): Sharp => {
  const side = Math.round(Math.min(width, height) * 0.25);
  const svg = `<svg width="${side}" height="${side}"><rect width="100%" height="100%" fill="white"/>
    <circle cx="50%" cy="50%" r="40%" fill="crimson"/></svg>`;
  return image.composite([{ input: Buffer.from(svg), gravity: 'southeast' }]);
};

/** Edits that people and programs make to images. */
export const EDITS: Readonly<Record<string, (of: Edited) => Sharp>> = {
  jpeg_10: ({ image }) => image.jpeg({ quality: 10 }),
  jpeg_50: ({ image }) => image.jpeg({ quality: 50 }),
  half_size: ({ image, width }) => image.resize(Math.round(width / 2)),
  quarter_size: ({ image, width }) => image.resize(Math.round(width / 4)),
  stretched: ({ image, width, height }) => image.resize(width, Math.round(height * 0.75), { fit: 'fill' }),
  crop_90: (of) => crop(of, 0.9),
  crop_80: (of) => crop(of, 0.8),
  crop_50: (of) => crop(of, 0.5),
  turn_2: ({ image }) => image.rotate(2, { background: 'black' }),
  turn_5: ({ image }) => image.rotate(5, { background: 'black' }),
  turn_90: ({ image }) => image.rotate(90),
  turn_180: ({ image }) => image.rotate(180),
  mirrored: ({ image }) => image.flop(),
  flipped: ({ image }) => image.flip(),
  letterbox: ({ image, height }) =>
    image.extend({ top: Math.round(height / 4), bottom: Math.round(height / 4), background: 'black' }),
  framed: ({ image, width }) => {
    const side = Math.round(width * 0.1);
    return image.extend({ top: side, bottom: side, left: side, right: side, background: 'white' });
  },
  logo,
  blurred: ({ image }) => image.blur(2),
  sharpened: ({ image }) => image.sharpen({ sigma: 2 }),
  bright: ({ image }) => image.linear(1, 40),
  dark: ({ image }) => image.linear(0.6, 0),
  gamma: ({ image }) => image.gamma(2.2),
  grey: ({ image }) => image.greyscale(),
};

/** Returns JPEG bytes of an edited image. */
export async function edited(bytes: Buffer, edit: string): Promise<Buffer> {
  const upright = await sharp(bytes)
    .autoOrient()
    .toColourspace('srgb')
    .removeAlpha()
    .png({ compressionLevel: 1 })
    .toBuffer();
  const { width, height } = await sharp(upright).metadata();
  const made = EDITS[edit]?.({ image: sharp(upright), width, height });
  if (!made) throw new Error(`no edit is called ${edit}`);
  return (edit.startsWith('jpeg') ? made : made.jpeg({ quality: 88 })).toBuffer();
}

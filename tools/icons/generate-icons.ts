import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import sharp from 'sharp';
import { ICNS_SIDES, ICO_SIDES, icnsFile, icoFile, type PngBySide } from './icon-files.ts';

/*
 * Implements `npm run generate:icons`: draws resources/icon.svg in the sizes and formats of each system, in resources/icons. The icon of
 * the menu bar of macOS is a template: black and transparent, which the system colours.
 */

const LINUX_SIDES = [16, 32, 48, 64, 128, 256, 512];
const root = resolve(import.meta.dirname, '..', '..');
const folder = join(root, 'resources', 'icons');
const svg = readFileSync(join(root, 'resources', 'icon.svg'), 'utf8');
/** The tiles alone: the one that is bright is opaque, the others are half transparent. */
const template = svg
  .replace(/<rect width="512" height="512"[^>]*\/>/, '')
  .replaceAll('#4a4a4a', '#000000" fill-opacity="0.45')
  .replaceAll('#f4f4f4', '#000000')
  .replace('viewBox="0 0 512 512"', 'viewBox="96 96 320 320"');

mkdirSync(folder, { recursive: true });
write('icon.ico', icoFile(await drawn(svg, ICO_SIDES)));
write('icon.icns', icnsFile(await drawn(svg, ICNS_SIDES)));
for (const [side, png] of await drawn(svg, LINUX_SIDES)) write(`${side}x${side}.png`, png);
for (const [side, png] of await drawn(template, [16, 32])) {
  write(side === 16 ? 'trayTemplate.png' : 'trayTemplate@2x.png', png);
}

async function drawn(source: string, sides: readonly number[]): Promise<PngBySide> {
  const images = sides.map(async (side): Promise<[number, Buffer]> => {
    // Drawn at its size, not scaled afterwards.
    const density = Math.max(1, (72 * side) / 512);
    const png = await sharp(Buffer.from(source), { density })
      .resize(side, side)
      .png({ compressionLevel: 9 })
      .toBuffer();
    return [side, png];
  });
  return new Map(await Promise.all(images));
}

function write(name: string, bytes: Buffer): void {
  writeFileSync(join(folder, name), bytes);
}

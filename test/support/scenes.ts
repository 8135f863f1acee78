import sharp from 'sharp';
import { seeded } from './images.ts';

const SHAPES = 90;

/** PNG bytes of a random scene with corners and textures, as photos have them; the same seed gives the same scene. */
export async function scene(seed: number, width = 640, height = 480): Promise<Buffer> {
  const random = seeded(seed);
  const colour = () => `rgb(${[0, 0, 0].map(() => Math.floor(random() * 256)).join(',')})`;
  const shapes = Array.from({ length: SHAPES }, (_, nth) => {
    const size = (1 - nth / SHAPES) * 0.35 + 0.03;
    const [x, y] = [random() * width, random() * height];
    const [w, h] = [random() * size * width, random() * size * height];
    const turn = `transform="rotate(${Math.floor(random() * 90)} ${x} ${y})"`;
    return random() < 0.5
      ? `<rect x="${x - w / 2}" y="${y - h / 2}" width="${w}" height="${h}" fill="${colour()}" ${turn}/>`
      : `<ellipse cx="${x}" cy="${y}" rx="${w / 2}" ry="${h / 2}" fill="${colour()}" ${turn}/>`;
  });
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
    <rect width="${width}" height="${height}" fill="${colour()}"/>${shapes.join('')}</svg>`;
  return sharp(Buffer.from(svg)).removeAlpha().png().toBuffer();
}

import sharp from 'sharp';
import { seeded } from './images.ts';

const SHAPES = 90;
/** Number of shapes that all scenes of a kind share: the largest ones, which other shapes cover in part. */
const SHAPES_OF_A_KIND = 20;

/**
 * PNG bytes of a random scene with corners and textures, as photos have them. The same seed gives the same scene.
 * @param kind Scenes of one kind look similar but show different things, like photos of one place.
 */
export async function scene(seed: number, width = 640, height = 480, kind?: number): Promise<Buffer> {
  let random = seeded(kind ?? seed);
  const colour = () => `rgb(${[0, 0, 0].map(() => Math.floor(random() * 256)).join(',')})`;
  const shapes = Array.from({ length: SHAPES }, (_, nth) => {
    if (kind !== undefined && nth === SHAPES_OF_A_KIND) random = seeded(seed);
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

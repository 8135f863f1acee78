import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import sharp, { type Sharp } from 'sharp';

/** Scenes of the sample: sky, ground and objects. Each becomes a folder of similar images. */
const PLACES = {
  beach: { sky: '#8fd3f4', ground: '#e8d5a3', shape: 'ellipse', colours: ['#ff6f61', '#2a9d8f', '#f4a261'] },
  forest: { sky: '#b7d7c2', ground: '#3c5a3e', shape: 'triangle', colours: ['#1f3d2b', '#2f6b45', '#4b8f5a'] },
  city: { sky: '#c9cdd8', ground: '#5a5d66', shape: 'rect', colours: ['#2b2d42', '#8d99ae', '#b56576'] },
  night: { sky: '#10142b', ground: '#1b1e33', shape: 'rect', colours: ['#f6d365', '#3a3f6b', '#5c6499'] },
} as const;
const IMAGES_PER_PLACE = 18;
const WIDTH_PX = 640;
const HEIGHT_PX = 480;
const HORIZON_PX = 300;

type PlaceName = keyof typeof PLACES;

/**
 * Writes the sample once: four scenes of 18 images, a few near-duplicates, a blurred and a dark image, and a COCO file with the boxes of
 * the objects.
 * @param folder Created as a whole; an existing folder is left unchanged.
 */
export async function makeSampleImages(folder: string): Promise<void> {
  if (existsSync(folder)) return;
  const unfinished = `${folder}.part`;
  rmSync(unfinished, { recursive: true, force: true });
  const drawn: DrawnImage[] = [];
  for (const place of Object.keys(PLACES) as PlaceName[]) {
    for (let nth = 0; nth < IMAGES_PER_PLACE; nth += 1) drawn.push(drawImage(place, nth));
  }
  for (const { name, svg } of drawn) await write(join(unfinished, name), sharp(Buffer.from(svg)));
  await writeVariants(unfinished, drawn);
  writeFileSync(join(unfinished, 'annotations.json'), JSON.stringify(cocoOf(drawn)));
  renameSync(unfinished, folder);
}

interface DrawnImage {
  name: string;
  place: PlaceName;
  svg: string;
  /** `[x, y, width, height]` in pixels. */
  boxes: [number, number, number, number][];
}

/** Draws an image; the same scene and number always give the same image. */
function drawImage(place: PlaceName, nth: number): DrawnImage {
  const { sky, ground, shape, colours } = PLACES[place];
  const random = seeded(nth * 7919 + place.length * 104729 + 1);
  const boxes: DrawnImage['boxes'] = [];
  const shapes = Array.from({ length: 6 + Math.floor(random() * 5) }, (_, at) => {
    const width = Math.round(40 + random() * 70);
    const height = Math.round(60 + random() * 130);
    const x = Math.round(random() * (WIDTH_PX - width));
    const y = Math.round(HORIZON_PX + random() * 120 - height);
    boxes.push([x, y, width, height]);
    return shapeSvg(shape, [x, y, width, height], colours[at % colours.length] ?? sky);
  });
  const sun = `<circle cx="${80 + random() * 480}" cy="${50 + random() * 80}" r="${20 + random() * 25}" fill="#fff3c4"/>`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH_PX}" height="${HEIGHT_PX}">
    <rect width="100%" height="100%" fill="${sky}"/>${sun}
    <rect y="${HORIZON_PX}" width="100%" height="100%" fill="${ground}"/>${shapes.join('')}</svg>`;
  return { name: `${place}/${place}-${String(nth + 1).padStart(2, '0')}.jpg`, place, svg, boxes };
}

function shapeSvg(shape: string, [x, y, width, height]: DrawnImage['boxes'][number], fill: string): string {
  if (shape === 'rect') return `<rect x="${x}" y="${y}" width="${width}" height="${height}" fill="${fill}"/>`;
  if (shape === 'triangle') {
    return `<path d="M${x} ${y + height} L${x + width / 2} ${y} L${x + width} ${y + height} Z" fill="${fill}"/>`;
  }
  const [rx, ry] = [width / 2, height / 2];
  return `<ellipse cx="${x + rx}" cy="${y + ry}" rx="${rx}" ry="${ry}" fill="${fill}"/>`;
}

/** Writes the images that give the duplicate and issue screens content. */
async function writeVariants(folder: string, drawn: readonly DrawnImage[]): Promise<void> {
  const image = (at: number) => sharp(Buffer.from(drawn[at]?.svg ?? ''));
  await write(join(folder, 'copies/beach-small.jpg'), image(0).resize(320));
  await write(join(folder, 'copies/forest-pale.jpg'), image(IMAGES_PER_PLACE).modulate({ brightness: 1.1 }));
  await write(join(folder, 'copies/city-cropped.jpg'), image(2 * IMAGES_PER_PLACE).extract(centre()));
  await write(join(folder, 'flaws/blurred.jpg'), image(1).blur(12));
  await write(join(folder, 'flaws/dark.jpg'), image(2).modulate({ brightness: 0.08 }));
}

const centre = () => ({ left: 24, top: 18, width: WIDTH_PX - 48, height: HEIGHT_PX - 36 });

async function write(file: string, image: Sharp): Promise<void> {
  mkdirSync(dirname(file), { recursive: true });
  await image.jpeg({ quality: 88 }).toFile(file);
}

function cocoOf(drawn: readonly DrawnImage[]) {
  const places = Object.keys(PLACES);
  return {
    images: drawn.map(({ name }, id) => ({ id, file_name: name, width: WIDTH_PX, height: HEIGHT_PX })),
    categories: places.map((name, id) => ({ id, name })),
    annotations: drawn.flatMap(({ place, boxes }, imageId) =>
      boxes.map((bbox, at) => ({
        id: imageId * 100 + at,
        image_id: imageId,
        category_id: places.indexOf(place),
        bbox,
      })),
    ),
  };
}

/** A small seeded generator (mulberry32, Tommy Ettinger, public domain). */
function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

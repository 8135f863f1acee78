import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import pMap from 'p-map';
import type { Sharp } from 'sharp';
import { annotationsOf, type DrawnImage, seeded } from './sample-annotations.ts';
import { sharp } from './sharp-runtime.ts';

/** Scenes of the sample: sky, ground and objects. Each becomes a folder of similar images. */
const SCENES = {
  beach: { sky: '#8fd3f4', ground: '#e8d5a3', shape: 'ellipse', colours: ['#ff6f61', '#2a9d8f', '#f4a261'] },
  forest: { sky: '#b7d7c2', ground: '#3c5a3e', shape: 'triangle', colours: ['#1f3d2b', '#2f6b45', '#4b8f5a'] },
  city: { sky: '#c9cdd8', ground: '#5a5d66', shape: 'rect', colours: ['#2b2d42', '#8d99ae', '#b56576'] },
  night: { sky: '#10142b', ground: '#1b1e33', shape: 'rect', colours: ['#f6d365', '#3a3f6b', '#5c6499'] },
} as const;
/** Number of images per scene (default). */
const IMAGES_PER_SCENE = 18;
const WIDTH_PX = 640;
const HEIGHT_PX = 480;
const HORIZON_PX = 300;
/** The first day on which the images were taken. Later images follow at intervals of five days. */
const FIRST_DAY_MS = Date.UTC(2025, 0, 4, 9);
const DAY_MS = 24 * 3600 * 1000;
/** Number of images that are encoded at a time. */
const DRAWN_AT_ONCE = 4;

type SceneName = keyof typeof SCENES;
type Scene = DrawnImage & { svg: string };

/**
 * Writes the sample once: four scenes of 18 images, a few near-duplicates, a blurred and a dark image, the labels of the images, and the boxes
 * of the objects as annotated and as predicted.
 * @param folder Created as a whole; an existing folder is left unchanged.
 * @param imagesPerScene At least 3; tests draw fewer than the app.
 */
export async function drawSample(folder: string, imagesPerScene = IMAGES_PER_SCENE): Promise<void> {
  if (existsSync(folder)) return;
  const unfinished = `${folder}.part`;
  rmSync(unfinished, { recursive: true, force: true });
  const drawn: Scene[] = [];
  for (const scene of Object.keys(SCENES) as SceneName[]) {
    for (let nth = 0; nth < imagesPerScene; nth += 1) drawn.push(drawImage(scene, nth));
  }
  const write = ({ name, svg }: Scene, at: number) =>
    save(join(unfinished, name), sharp(Buffer.from(svg)).withExif(takenOn(at)));
  await pMap(drawn, write, { concurrency: DRAWN_AT_ONCE });
  await writeVariants(unfinished, drawn, imagesPerScene);
  const size = { width: WIDTH_PX, height: HEIGHT_PX };
  for (const [name, text] of Object.entries(annotationsOf(drawn, Object.keys(SCENES), size))) {
    writeFileSync(join(unfinished, name), text);
  }
  renameSync(unfinished, folder);
}

function takenOn(nth: number) {
  const [day = '', time = ''] = new Date(FIRST_DAY_MS + nth * 5 * DAY_MS).toISOString().split('T');
  return { IFD2: { DateTimeOriginal: `${day.replaceAll('-', ':')} ${time.slice(0, 8)}` } };
}

/** Draws an image; the same scene and number always give the same image. */
function drawImage(scene: SceneName, nth: number): Scene {
  const { sky, ground, shape, colours } = SCENES[scene];
  const random = seeded(nth * 7919 + scene.length * 104729 + 1);
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
  return { name: `${scene}/${scene}-${String(nth + 1).padStart(2, '0')}.jpg`, label: scene, svg, boxes };
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
async function writeVariants(folder: string, drawn: readonly Scene[], imagesPerScene: number): Promise<void> {
  const image = (at: number) => sharp(Buffer.from(drawn[at]?.svg ?? ''));
  await save(join(folder, 'copies/beach-small.jpg'), image(0).resize(320));
  await save(join(folder, 'copies/forest-pale.jpg'), image(imagesPerScene).modulate({ brightness: 1.1 }));
  await save(join(folder, 'copies/city-cropped.jpg'), image(2 * imagesPerScene).extract(centre()));
  await save(join(folder, 'flaws/blurred.jpg'), image(1).blur(12));
  await save(join(folder, 'flaws/dark.jpg'), image(2).modulate({ brightness: 0.08 }));
}

const centre = () => ({ left: 24, top: 18, width: WIDTH_PX - 48, height: HEIGHT_PX - 36 });

async function save(file: string, image: Sharp): Promise<void> {
  mkdirSync(dirname(file), { recursive: true });
  await image.jpeg({ quality: 88 }).toFile(file);
}

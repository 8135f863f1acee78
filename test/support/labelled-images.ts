import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeImages } from './images.ts';

/** Writes images `image-<seed>.jpg` with one box each, and the annotations with their boxes and labels. */
export async function writeLabelledImages(folder: string, labels: Readonly<Record<number, string>>): Promise<void> {
  const seeds = Object.keys(labels).map(Number);
  await writeImages(folder, seeds);
  const rows = (row: (name: string, label: string) => string) =>
    seeds.map((seed) => row(`image-${String(seed).padStart(5, '0')}.jpg`, labels[seed] ?? '')).join('\n');
  await writeFile(
    join(folder, 'image_annotations.csv'),
    `filename,label,caption\n${rows((name, label) => `${name},${label},a ${label} at the sea`)}\n`,
  );
  await writeFile(
    join(folder, 'object_annotations.csv'),
    `filename,col_x,row_y,width,height,label\n${rows((name, label) => `${name},10,10,50,50,${label} head`)}\n`,
  );
}

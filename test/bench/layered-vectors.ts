import { seededRandom } from '../../src-main/infra/vectors/rows.ts';

/**
 * Generates unit vectors in layers, as in photo collections: 40 kinds of image, their subjects, and scenes of about 30 images, uneven in
 * size. Yields them in pages of `pageRows`; the last one may be shorter.
 */
export function* layeredVectors(count: number, dim: number, pageRows = count): Generator<Float32Array> {
  const random = seededRandom(5);
  const around = (rows: number, centres: Float32Array, spread: number): Float32Array => {
    const made = new Float32Array(rows * dim);
    const nCentres = centres.length / dim;
    for (let row = 0; row < rows; row += 1) {
      const centre = Math.floor(random() ** 1.5 * nCentres) * dim;
      const ownSpread = spread * (0.4 + 1.2 * random());
      for (let axis = 0; axis < dim; axis += 1) {
        made[row * dim + axis] = (centres[centre + axis] ?? 0) + ownSpread * (random() + random() + random() - 1.5);
      }
    }
    return made;
  };
  const kinds = around(40, new Float32Array(dim), 1);
  const subjects = around(Math.ceil(count / 500), kinds, 0.9);
  const scenes = around(Math.ceil(count / 30), subjects, 0.6);
  for (let first = 0; first < count; first += pageRows) {
    const vectors = around(Math.min(pageRows, count - first), scenes, 0.4);
    for (let start = 0; start < vectors.length; start += dim) {
      let squares = 0;
      for (let axis = 0; axis < dim; axis += 1) squares += (vectors[start + axis] ?? 0) ** 2;
      const scale = 1 / Math.sqrt(squares);
      for (let axis = 0; axis < dim; axis += 1) vectors[start + axis] = (vectors[start + axis] ?? 0) * scale;
    }
    yield vectors;
  }
}

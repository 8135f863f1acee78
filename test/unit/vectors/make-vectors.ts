import { seededRandom } from '../../../src-main/infra/vectors/rows.ts';

/** Unit vectors in `groups` clusters around random directions. Row r belongs to cluster r modulo `groups`. */
export function bunches(options: { count: number; dim: number; groups: number; spread: number; seed: number }) {
  const { count, dim, groups, spread } = options;
  const random = seededRandom(options.seed);
  const gaussian = () => random() + random() + random() - 1.5;
  const centres = Float32Array.from({ length: groups * dim }, gaussian);
  const vectors = new Float32Array(count * dim);
  for (let row = 0; row < count; row += 1) {
    const centre = (row % groups) * dim;
    let squares = 0;
    for (let axis = 0; axis < dim; axis += 1) {
      const value = (centres[centre + axis] ?? 0) + spread * gaussian();
      vectors[row * dim + axis] = value;
      squares += value * value;
    }
    for (let axis = 0; axis < dim; axis += 1)
      vectors[row * dim + axis] = (vectors[row * dim + axis] ?? 0) / Math.sqrt(squares);
  }
  return vectors;
}

/** Unit vectors on a smooth surface of `latent` dimensions that curves through `dim` dimensions and has no clusters. */
export function manifold(options: { count: number; dim: number; latent: number; seed: number }): Float32Array {
  const { count, dim, latent } = options;
  const random = seededRandom(options.seed);
  const gaussian = () => 2 * (random() + random() + random() - 1.5);
  const slopes = Float32Array.from({ length: dim * latent }, () => gaussian() / latent);
  const phases = Float32Array.from({ length: dim }, () => 2 * Math.PI * random());
  const vectors = new Float32Array(count * dim);
  for (let row = 0; row < count; row += 1) {
    const place = Float32Array.from({ length: latent }, gaussian);
    let squares = 0;
    for (let axis = 0; axis < dim; axis += 1) {
      let angle = phases[axis] ?? 0;
      for (let nth = 0; nth < latent; nth += 1) angle += (place[nth] ?? 0) * (slopes[axis * latent + nth] ?? 0);
      const value = Math.sin(angle);
      vectors[row * dim + axis] = value;
      squares += value * value;
    }
    for (let axis = 0; axis < dim; axis += 1)
      vectors[row * dim + axis] = (vectors[row * dim + axis] ?? 0) / Math.sqrt(squares);
  }
  return vectors;
}

/** Reorders rows: row r of the result is row `order[r]` of the given vectors. */
export function permuted(vectors: Float32Array, dim: number, order: readonly number[]): Float32Array {
  const result = new Float32Array(vectors.length);
  for (const [to, from] of order.entries()) result.set(vectors.subarray(from * dim, (from + 1) * dim), to * dim);
  return result;
}

/** Returns the groups of a labelling, each as a list of rows, so that two labellings can be compared; -1 means no group. */
export function partition(labels: ArrayLike<number>): string[] {
  const groups = new Map<number, number[]>();
  for (let row = 0; row < labels.length; row += 1) {
    const label = labels[row] ?? -1;
    if (label >= 0) groups.set(label, [...(groups.get(label) ?? []), row]);
  }
  return [...groups.values()].map((rows) => rows.join(' ')).sort();
}

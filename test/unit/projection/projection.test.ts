import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { projectRows } from '../../../src-main/infra/projection/project-rows.ts';
import { principalPlaces } from '../../../src-main/infra/projection/start-places.ts';
import { BuiltInEngine } from '../../../src-main/infra/vectors/built-in/built-in-engine.ts';
import { rowsWhere } from '../../../src-main/infra/vectors/rows.ts';
import { atEnd } from '../../support/at-end.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { bunches, manifold } from '../vectors/make-vectors.ts';
import { neighborsKept, project, projectionJob } from './make-projection.ts';

const DIM = 32;

describe('a projection', () => {
  it.each([
    ['in bunches', bunches({ count: 1500, dim: DIM, groups: 40, spread: 0.5, seed: 3 })],
    ['without any', manifold({ count: 1500, dim: DIM, latent: 4, seed: 4 })],
  ])('keeps more neighbours together than the plane of the principal directions, of rows %s', async (_, vectors) => {
    const job = await projectionJob(await temporaryFolder(atEnd), { vectors, dim: DIM });
    const { places } = await project(job);
    expect(places.every((place) => place >= 0 && place <= 1)).toBe(true);
    const engine = new BuiltInEngine(job.input.engine);
    const flat = await principalPlaces(
      engine.open(job.input.vectors),
      job.count,
      rowsWhere(job.count, () => true),
    );
    await engine.close();
    const [kept, keptFlat] = [places, flat].map((shown) => neighborsKept({ vectors, dim: DIM }, shown, { stride: 5 }));
    expect(kept).toBeGreaterThan(0.25);
    expect(kept).toBeGreaterThan(1.8 * (keptFlat ?? 1));
  });

  it('gives most of its area to the connected rows, when a few groups are separate', async () => {
    const many = manifold({ count: 1200, dim: DIM, latent: 4, seed: 4 });
    const apart = bunches({ count: 120, dim: DIM, groups: 4, spread: 0.01, seed: 9 });
    const vectors = new Float32Array([...many, ...apart]);
    const { places } = await project(await projectionJob(await temporaryFolder(atEnd), { vectors, dim: DIM }));
    for (const axis of [0, 1]) {
      const along = Float32Array.from({ length: 1200 }, (_, row) => places[row * 2 + axis] as number).sort();
      expect((along[1140] as number) - (along[60] as number)).toBeGreaterThan(0.4);
    }
  });

  it('is the same for the same rows', async () => {
    const vectors = bunches({ count: 300, dim: DIM, groups: 8, spread: 0.5, seed: 5 });
    const [one, other] = await Promise.all(
      [1, 2].map(async () => project(await projectionJob(await temporaryFolder(atEnd), { vectors, dim: DIM }))),
    );
    expect(one).toEqual(other);
  });

  it('keeps rows in place when others are added, and places those beside their neighbours', async () => {
    const folder = await temporaryFolder(atEnd);
    const vectors = bunches({ count: 900, dim: DIM, groups: 10, spread: 0.4, seed: 6 });
    const before = await projectionJob(folder, { vectors: vectors.slice(0, 800 * DIM), dim: DIM });
    const first = await project(before);
    const after = await projectionJob(folder, { vectors, dim: DIM });
    const second = await project({ ...after, input: { ...after.input, known_file: before.input.file } });
    expect(second.places.subarray(0, first.places.length)).toEqual(first.places);
    expect(second).toMatchObject({ count: 900, layoutCount: 800, layout: first.layout });
    expect(neighborsKept({ vectors, dim: DIM }, second.places, { stride: 5 })).toBeGreaterThan(0.2);
  });

  it('places rows that are live again, and keeps the others in place', async () => {
    const folder = await temporaryFolder(atEnd);
    const vectors = bunches({ count: 300, dim: DIM, groups: 6, spread: 0.4, seed: 6 });
    const before = await projectionJob(folder, { vectors, dim: DIM, dead: [5] });
    const first = await project(before);
    const after = await projectionJob(folder, { vectors, dim: DIM });
    const second = await project({
      ...after,
      input: { ...after.input, known_file: before.input.file, file: join(folder, 'second') },
    });
    expect(Number.isFinite(second.places[10])).toBe(true);
    expect([...second.places].filter((place, at) => place !== first.places[at])).toHaveLength(2);
  });

  it('is computed again when it has outgrown its layout', async () => {
    const folder = await temporaryFolder(atEnd);
    const vectors = bunches({ count: 600, dim: DIM, groups: 10, spread: 0.4, seed: 6 });
    const before = await projectionJob(folder, { vectors: vectors.slice(0, 300 * DIM), dim: DIM });
    const first = await project(before);
    const after = await projectionJob(folder, { vectors, dim: DIM });
    const second = await project({ ...after, input: { ...after.input, layout: 2, known_file: before.input.file } });
    expect(second).toMatchObject({ count: 600, layoutCount: 600, layout: 2 });
    expect(first.layout).toBe(1);
    expect(neighborsKept({ vectors, dim: DIM }, second.places, { stride: 5 })).toBeGreaterThan(0.25);
  });

  it('leaves nothing behind when it is aborted', async () => {
    const vectors = bunches({ count: 200, dim: DIM, groups: 4, spread: 0.4, seed: 7 });
    const job = await projectionJob(await temporaryFolder(atEnd), { vectors, dim: DIM });
    await expect(projectRows(job, { signal: AbortSignal.abort() })).rejects.toThrow('aborted');
    expect(existsSync(job.input.file)).toBe(false);
  });

  it('has no position for rows without an item, and works for one, two and equal rows', async () => {
    const folder = await temporaryFolder(atEnd);
    const vectors = bunches({ count: 60, dim: DIM, groups: 4, spread: 0.4, seed: 8 });
    const { places } = await project(await projectionJob(folder, { vectors, dim: DIM, dead: [3, 59] }));
    expect([...places].flatMap((place, at) => (Number.isNaN(place) ? [at] : []))).toEqual([6, 7, 118, 119]);
    for (const count of [1, 2, 40]) {
      const equal = bunches({ count, dim: DIM, groups: 1, spread: 0, seed: 9 });
      const made = await project(await projectionJob(await temporaryFolder(atEnd), { vectors: equal, dim: DIM }));
      expect(made.places.every((place) => place >= 0 && place <= 1)).toBe(true);
    }
  });
});

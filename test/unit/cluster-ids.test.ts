import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ClusterIds } from '../../src-main/infra/dataset-store/clusters/cluster-ids.ts';

const ids = new ClusterIds('5f2d1f0e-6c1b-4a63-9a63-0d8a4a3f0001');
const key = fc.record({
  entity_type: fc.constantFrom('IMAGES' as const, 'OBJECTS' as const),
  level: fc.integer({ min: 0, max: 4 }),
  first_row: fc.integer({ min: 0, max: 2 ** 31 - 1 }),
});

it('gives every cluster a UUID of version 8 that leads back to it, in its own dataset only', () => {
  const others = new ClusterIds('5f2d1f0e-6c1b-4a63-9a63-0d8a4a3f0002');
  fc.assert(
    fc.property(key, (cluster) => {
      const id = ids.encode(cluster);
      expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      expect(ids.decode(id)).toEqual(cluster);
      expect(ids.decode(id.toUpperCase())).toEqual(cluster);
      expect(others.decode(id)).toBeUndefined();
    }),
  );
});

it('differs in the first eight characters within a dataset', () => {
  const starts = new Set<string>();
  for (const entityType of ['IMAGES', 'OBJECTS'] as const) {
    for (let level = 0; level < 5; level += 1) {
      for (let firstRow = 0; firstRow < 1000; firstRow += 1) {
        starts.add(ids.encode({ entity_type: entityType, level, first_row: firstRow }).slice(0, 8));
      }
    }
  }
  expect(starts.size).toBe(2 * 5 * 1000);
});

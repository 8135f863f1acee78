import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { BuiltInEngine } from '../../../src-main/infra/vectors/built-in/built-in-engine.ts';
import { ExternalCollection } from '../../../src-main/infra/vectors/external/external-collection.ts';
import { IndexRecordFiles } from '../../../src-main/infra/vectors/external/index-record.ts';
import type { PointIndex } from '../../../src-main/infra/vectors/external/point-index.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const ADDRESS = { space: 'meaning', entity_type: 'IMAGES', encoder_id: 'made', dim: 2 } as const;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
});
afterEach(() => {
  vi.useRealTimers();
});

it('reports progress while the engine builds its index, so that the copy does not count as hung', async () => {
  const folder = await temporaryFolder();
  const builtIn = new BuiltInEngine({ folder });
  let [isBuilding, nReports] = [false, 0];
  const points: PointIndex = {
    create: () => Promise.resolve(),
    exists: () => Promise.resolve(true),
    upsert: () => Promise.resolve(),
    remove: () => Promise.resolve(),
    finish: async () => {
      isBuilding = true;
      vi.advanceTimersByTime(3_600_000);
    },
    search: () => Promise.resolve(new Int32Array()),
    drop: () => Promise.resolve(),
    close: () => Promise.resolve(),
  };
  const records = new IndexRecordFiles(folder, ADDRESS);
  const space = new ExternalCollection({ local: builtIn.open(ADDRESS), records, kind: 'pgvector', points });
  await space.upsert(Int32Array.of(0), Float32Array.of(0, 1));
  await space.copyOut({
    count: 1,
    isFirst: true,
    onProgress: () => {
      nReports += isBuilding ? 1 : 0;
    },
  });
  expect(nReports).toBeGreaterThan(100);
  await builtIn.close();
});

import { describe, expect, it } from 'vitest';
import { DatasetSizes } from '../../../src-main/core/datasets/dataset-sizes.ts';
import type { DatasetStore } from '../../../src-main/core/ports/dataset-store.ts';
import { until } from '../../support/api.ts';
import { silentLog } from '../../support/silent-log.ts';

describe('sizes of datasets', () => {
  function setUp() {
    const saved = new Map<string, { disk_bytes: number; n_frames: number }>();
    const running = new Set<string>();
    const disk = { bytes: 100, counts: 0 };
    const sizes = new DatasetSizes(
      {
        datasets: {
          find: (id) => ({ dataset_id: id, generation: 1 }) as never,
          storeOf: () =>
            ({
              intake: { countStoredBytes: async () => 10 },
              items: { counts: async () => ({ n_frames: 7 }) },
            }) as unknown as DatasetStore,
          listAll: () => [
            { dataset_id: 'known', disk_bytes: 5, n_frames: 0 } as never,
            { dataset_id: 'unknown', disk_bytes: 5, n_frames: null } as never,
          ],
          saveSizes: (id, counted) => void saved.set(id, counted),
        },
        folders: {
          countBytes: async () => {
            disk.counts += 1;
            return disk.bytes;
          },
        },
        tasks: { isRunning: (id) => running.has(id) },
        log: silentLog,
      },
      1,
    );
    return { sizes, saved, running, disk };
  }

  it('are the folder and the stored originals, counted once for several changes, and again after another', async () => {
    const { sizes, saved, disk } = setUp();
    const bytesOf = (id: string) => saved.get(id)?.disk_bytes;
    for (let n = 0; n < 5; n += 1) sizes.noteChange('a');
    await until(() => bytesOf('a') === 110);
    expect(disk.counts).toBe(1);
    disk.bytes = 200;
    sizes.noteChange('a');
    await until(() => bytesOf('a') === 210);
    await sizes.close();
    expect(disk.counts).toBe(2);
  });

  it('are counted at start for datasets that were never counted', async () => {
    const { sizes, saved } = setUp();
    sizes.countUnknown();
    await until(() => saved.size > 0);
    await sizes.close();
    expect([...saved]).toEqual([['unknown', { disk_bytes: 110, n_frames: 7 }]]);
  });

  it('are not counted while a task runs, and not after the end', async () => {
    const { sizes, saved, running } = setUp();
    running.add('a');
    sizes.noteChange('a');
    sizes.noteChange('b');
    await until(() => saved.has('b'));
    expect(saved.has('a')).toBe(false);
    await sizes.close();
    sizes.noteChange('c');
    expect([...saved.keys()]).toEqual(['b']);
  });
});

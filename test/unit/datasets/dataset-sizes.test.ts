import { describe, expect, it } from 'vitest';
import { DatasetSizes } from '../../../src-main/core/datasets/dataset-sizes.ts';
import { EventBus } from '../../../src-main/core/events.ts';
import type { DatasetStore } from '../../../src-main/core/ports/dataset-store.ts';
import { until } from '../../support/api.ts';
import { silentLog } from '../../support/silent-log.ts';

describe('sizes of datasets', () => {
  function setUp() {
    const saved = new Map<string, number>();
    const running = new Set<string>();
    const told: string[] = [];
    const disk = { bytes: 100, counts: 0 };
    const events = new EventBus((error) => expect.fail(String(error)));
    const sizes = new DatasetSizes(
      {
        datasets: {
          find: (id) => ({ dataset_id: id, generation: 1 }) as never,
          storeOf: () => ({ intake: { countStoredBytes: async () => 10 } }) as unknown as DatasetStore,
          saveDiskBytes: (id, bytes) => {
            const isNew = saved.get(id) !== bytes;
            saved.set(id, bytes);
            return isNew;
          },
        },
        folders: {
          countBytes: async () => {
            disk.counts += 1;
            return disk.bytes;
          },
        },
        tasks: { isRunning: (id) => running.has(id) },
        events,
        log: silentLog,
      },
      1,
    );
    events.subscribe(({ name, data }) => {
      if (name !== 'dataset_changed') return;
      told.push(data.dataset_id);
      sizes.noteChange(data.dataset_id);
    });
    return { sizes, saved, running, told, disk };
  }

  it('are the folder and the stored originals, announced once, and counted again after a change', async () => {
    const { sizes, saved, told, disk } = setUp();
    for (let n = 0; n < 5; n += 1) sizes.noteChange('a');
    await until(() => saved.get('a') === 110);
    await sizes.close();
    expect({ told, counts: disk.counts }).toEqual({ told: ['a'], counts: 1 });
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

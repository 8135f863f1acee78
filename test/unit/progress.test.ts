import { expect, it } from 'vitest';
import { ProgressMeter } from '../../src-main/core/tasks/progress.ts';

it('progress texts group digits', () => {
  const meter = new ProgressMeter({ now: () => 0, ticksMs: () => 0, iso: () => '' });
  meter.begin('Reading', { from: 0, to: 1 }, null, 'items');
  meter.report(1234, null);
  expect(meter.message).toBe('Reading: 1,234');
  meter.report(1234, 56789);
  expect(meter.message).toBe('Reading: 1,234 of 56,789');
  meter.begin('Copying', { from: 0, to: 1 }, null, 'megabytes');
  meter.report(12, 3400);
  expect(meter.message).toBe('Copying: 12 of 3,400 MB');
  meter.begin('Grouping', { from: 0, to: 1 }, 100, 'percent');
  meter.report(7, 100);
  expect(meter.message).toBe('Grouping: 7 %');
});

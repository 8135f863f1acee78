import { expect, it } from 'vitest';
import { asWritten, formatMessage } from '../../src-main/contract/messages.ts';
import { ProgressMeter } from '../../src-main/core/tasks/progress.ts';

const english = ({ message }: ProgressMeter) => message && formatMessage(message);

it('progress texts group digits', () => {
  const meter = new ProgressMeter({ now: () => 0, ticksMs: () => 0, iso: () => '' });
  meter.begin(asWritten('Reading'), { from: 0, to: 1 }, null, 'items');
  meter.report(1234, null);
  expect(english(meter)).toBe('Reading: 1,234');
  meter.report(1234, 56789);
  expect(english(meter)).toBe('Reading: 1,234 of 56,789');
  meter.begin(asWritten('Copying'), { from: 0, to: 1 }, null, 'megabytes');
  meter.report(12, 3400);
  expect(english(meter)).toBe('Copying: 12 of 3,400 MB');
  meter.begin(asWritten('Grouping'), { from: 0, to: 1 }, 100, 'percent');
  meter.report(7, 100);
  expect(english(meter)).toBe('Grouping: 7 %');
});

import { expect, it } from 'vitest';
import { message } from '../../../src-main/contract/messages.ts';
import { DamageReports } from '../../../src-main/core/recovery/damage-reports.ts';
import { silentLog } from '../../support/silent-log.ts';

const first = { dataset_id: 'first', generation: 1 };
const second = { dataset_id: 'second', generation: 2 };
const torn = message('database_cut');
const gone = message('database_missing');

it('delivers reports from before the receiver was connected, in order and once', () => {
  const reports = new DamageReports(silentLog);
  const received: unknown[] = [];
  reports.report(first, torn);
  reports.report(second, gone);
  reports.connect((damaged, reason) => received.push([damaged, reason]));
  expect(received).toEqual([
    [first, torn],
    [second, gone],
  ]);
  reports.report(first, torn);
  expect(received).toHaveLength(3);
});

it('logs the error of a receiver instead of failing the report', () => {
  const errors: object[] = [];
  const reports = new DamageReports({ ...silentLog, error: (fields) => errors.push(fields) });
  const failure = new Error('closed');
  reports.connect(() => {
    throw failure;
  });
  reports.report(first, torn);
  expect(errors).toEqual([{ err: failure, ...first }]);
});

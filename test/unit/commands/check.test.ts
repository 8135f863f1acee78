import { expect, it } from 'vitest';
import type { Caller } from '../../../src-main/commands/caller.ts';
import { checkData } from '../../../src-main/commands/check.ts';
import type { MessageCode } from '../../../src-main/contract/messages.ts';

interface Found {
  codes?: MessageCode[];
  n_busy?: number;
  statuses?: string[];
}

/** Returns a caller whose core reports the given results of a check. */
function callerThatFound({ codes = [], n_busy = 0, statuses = ['READY'] }: Found): Caller {
  const task = {
    task_id: 't',
    step: 'Checking datasets',
    end_time: 'now',
    status: 'COMPLETED',
    status_message: 'checked',
    error_message: null,
  };
  const findings = codes.map((code) => ({ code, params: {} }));
  const damaged = findings.length === 0 ? [] : [{ dataset_id: 'd', name: 'Holiday', problems: codes, findings }];
  const answers: Record<string, unknown> = {
    check_data: { task_id: 't' },
    list_tasks: { tasks: [task] },
    get_check: { check: { task, n_datasets: 1, n_busy, damaged } },
    list_datasets: statuses.map((statusNew) => ({
      display_name: 'Holiday',
      status_new: statusNew,
      fatal_error_msg: null,
    })),
    get_recovery: { events: [], n_new: 0 },
  };
  return (async (id: string) => answers[id]) as unknown as Caller;
}

it.each<[string, Found, number]>([
  ['nothing is damaged', {}, 0],
  ['what was damaged is computed again', { codes: ['vectors_damaged'] }, 0],
  ['originals are missing', { codes: ['vectors_missing', 'originals_missing'] }, 2],
  ['originals are damaged', { codes: ['originals_damaged'] }, 2],
  ['a snapshot cannot be restored', { codes: ['snapshots_damaged'] }, 2],
  ['a dataset is in error', { statuses: ['READY', 'ERROR'], n_busy: 1 }, 2],
  ['a dataset could not be checked', { n_busy: 1 }, 3],
  ['something is lost and something else not checked', { codes: ['snapshots_damaged'], n_busy: 1 }, 2],
])('a check where %s exits with its code', async (_what, found, code) => {
  expect(await checkData(callerThatFound(found), { json: false }, () => undefined)).toBe(code);
});

it('a check prints one JSON object on request', async () => {
  const lines: string[] = [];
  await checkData(callerThatFound({ codes: ['originals_missing'], n_busy: 1 }), { json: true }, (line) =>
    lines.push(line),
  );
  expect(lines).toHaveLength(1);
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    exit_code: 2,
    n_datasets: 1,
    n_busy: 1,
    damaged: [{ name: 'Holiday', findings: [{ code: 'originals_missing' }] }],
    in_error: [],
    events: [],
  });
});

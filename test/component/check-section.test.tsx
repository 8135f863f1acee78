import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { message } from '../../src-main/contract/messages.ts';
import type { DataCheck } from '../../src-main/contract/schemas/recovery.ts';
import type { Task } from '../../src-main/contract/schemas/task.ts';
import { AlertsPanel } from '../../src-renderer/features/alerts/AlertsPanel.tsx';
import { CheckSection } from '../../src-renderer/features/recovery/CheckSection.tsx';
import { idOf } from '../support/answers.ts';
import { fakeServer, renderPage } from '../support/render-page.tsx';

const TIME = '2026-11-01T10:00:00.000Z';

const TASK: Task = {
  ...{ task_id: idOf(1), dataset_id: '', dataset_name: '', dataset_status: 'READY', created_by: 'owner@localhost' },
  ...{ task_type: 'DATA_CHECK', status: 'RUNNING', status_message: '', progress_percentage: 40, error_message: null },
  ...{ outcome: message('task_starting'), step_message: message('step_checking_datasets') },
  ...{ failure: null, start_time: TIME, end_time: null, step: 'Checking datasets', done: 40, total: 100 },
  ...{ unit: 'percent', items_per_s: null, time_left_s: null, can_abort: true, can_retry: false },
};

function renderCheck(changes: Partial<DataCheck>) {
  const check = {
    ...{ task: TASK, in_background: true, n_datasets: 2, n_busy: 0, damaged: [], read_bytes: 2_100_000_000 },
    ...{ backup_id: null, ...changes },
  };
  const server = fakeServer({ get_check: () => ({ check }), check_data: () => ({ task_id: idOf(2) }) });
  renderPage(<CheckSection />);
  return server;
}

it('a check in the background shows its progress and can be replaced by one at full speed', async () => {
  const server = renderCheck({});
  await screen.findByTestId('check-in-background');
  expect(screen.getByRole('progressbar').getAttribute('aria-valuenow')).toBe('40');
  expect(screen.getByTestId('check-extent').textContent).toMatch(/Running since .*2 datasets checked.*2\.1 GB read/);
  fireEvent.click(screen.getByRole('button', { name: 'Check now' }));
  await waitFor(() => expect(server.inputsOf('check_data')).toHaveLength(1));
});

it('a finished check says when it ran, what it read, what it found and what was restored', async () => {
  const findings = [message('snapshot_blocks_restored', { count: 3 })];
  renderCheck({
    task: { ...TASK, status: 'COMPLETED', end_time: TIME },
    damaged: [{ dataset_id: idOf(3), name: 'Holiday', findings, problems: [] }],
    backup_id: 'one',
  });
  expect((await screen.findByTestId('check-extent')).textContent).toMatch(/in the background.*Latest backup checked/);
  expect(screen.getByTestId('check-result').textContent).toContain('one dataset');
  const row = screen.getByTestId('check-findings').textContent;
  expect(row).toBe('RepairedHoliday 3 damaged parts of its snapshots were restored from a backup');
});

it('a notification of damage leads to the findings', async () => {
  const metadata = { view_name: '', dataset_name: '', result_count: 1, batch_id: '', is_alert: false };
  const sentences = {
    title: message('damage_found_title'),
    message: message('damage_found', { name: 'Holiday', problems: message('file_missing', { file: 'data.db' }) }),
  };
  const notification = {
    ...{ id: idOf(4), user_id: idOf(1), entity_type: 'recovery', entity_id: '1', title: 'The data check found damage' },
    ...{ message: 'Holiday: damaged', dataset_id: null, created_at: TIME, read_at: null },
    metadata: { ...metadata, shared_by: null, sentences, previews: [] },
  };
  fakeServer({ list_notifications: () => ({ notifications: [notification], total: 1, has_more: false }) });
  renderPage(<AlertsPanel datasetId={undefined} onGo={() => undefined} />);
  const row = await screen.findByTestId('alert-row');
  expect(row.textContent).toContain('Holiday: data.db is missing');
  fireEvent.click(row);
  expect(window.location.hash).toBe('#/recovery');
});

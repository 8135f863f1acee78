import { fireEvent, screen, waitFor } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import type { Task } from '../../src-main/contract/schemas/task.ts';
import { ReportDialog } from '../../src-renderer/app/ReportDialog.tsx';
import { datasetOf, idOf } from '../support/answers.ts';
import { fakeServer, renderPage } from '../support/render-page.tsx';

const FAILED: Task = {
  ...{ task_id: idOf(7), dataset_id: idOf(1), dataset_name: 'Secret project', dataset_status: 'READY' },
  ...{ created_by: 'owner@localhost', task_type: 'EXPORT', status: 'FAILED', status_message: '' },
  ...{
    outcome: { code: 'as_written', params: { text: '' } },
    progress_percentage: 40,
    error_message: 'Secret project',
  },
  ...{
    failure: { code: 'disk_full', params: {} },
    start_time: '2026-11-01T10:00:00Z',
    end_time: '2026-11-01T10:01:00Z',
  },
  ...{ step: '', step_message: null, done: 0, total: null, unit: 'items', items_per_s: null, time_left_s: null },
  ...{ can_abort: false, can_retry: true },
};

describe('the report of a problem', () => {
  it('has the version, counts and the codes of failed tasks to copy, and no names', async () => {
    const closed = vi.fn();
    fakeServer({
      healthcheck: () => ({ status: 'Green', 'service-health-message': '', version: '0.1.0' }),
      list_datasets: () => [datasetOf({ display_name: 'Secret project', n_images: 12 })],
      list_tasks: () => ({
        tasks: [FAILED],
        ...{ total: 1, page: 1, page_size: 50 },
      }),
    });
    renderPage(<ReportDialog onClose={closed} />);
    const lines = () => screen.getByTestId<HTMLTextAreaElement>('diagnostics').value;
    await waitFor(() => expect(lines()).toContain('vitrine: 0.1.0'));
    await waitFor(() => expect(lines()).toContain('images: 12'));
    await waitFor(() => expect(lines()).toContain('failed tasks: 1'));
    expect(lines()).not.toContain('Secret');
    expect(screen.getByTestId('report-help').getAttribute('href')).toContain('reporting-a-problem');
    fireEvent.click(screen.getByRole('button', { name: 'Close' }));
    expect(closed).toHaveBeenCalled();
  });
});

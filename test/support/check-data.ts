import { expect } from 'vitest';
import type { DataCheck } from '../../src-main/contract/schemas/recovery.ts';
import { type Api, until } from './api.ts';

/** Starts a data check and waits until it has finished. */
export async function check(api: Api): Promise<DataCheck> {
  const started = await api.post<{ task_id: string }>('/recovery/check');
  expect(started.status).toBe(202);
  const { body } = await until(
    () => api.get<{ check: DataCheck | null }>('/recovery/check'),
    ({ body }) => body.check?.task.task_id === started.body.task_id && body.check.task.end_time !== null,
  );
  if (!body.check) throw new Error('there is no check');
  expect(body.check.task).toMatchObject({ status: 'COMPLETED', task_type: 'DATA_CHECK' });
  return body.check;
}

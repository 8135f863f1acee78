import { describe, expect, it } from 'vitest';
import { AppError } from '../../src-main/contract/errors.ts';
import { asWritten } from '../../src-main/contract/messages.ts';
import type { Log } from '../../src-main/core/ports/log.ts';
import { writeImages } from '../support/images.ts';
import { inProcessCompute } from '../support/in-process-compute.ts';
import { callBy } from '../support/principals.ts';
import { silentLog } from '../support/silent-log.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { createTestCore, type TestCore } from '../support/test-core.ts';

const NOWHERE = '00000000-0000-4000-8000-000000000000';

function invoke({ core }: TestCore, operation: string, input: unknown): Promise<unknown> {
  return core.invoke(operation, input, callBy(core.localOwner()));
}

/** Starts a core whose devices cannot be inspected for the given reason. Returns the errors in its log. */
async function failing(reason: unknown) {
  const errors: Record<string, unknown>[] = [];
  const log: Log = {
    ...silentLog,
    error: (fields) => errors.push(fields as Record<string, unknown>),
    child: () => log,
  };
  const compute = inProcessCompute();
  compute.checkDevices = () => Promise.reject(reason);
  return { test: await createTestCore({ compute, log }), errors };
}

describe('a call that cannot be served', () => {
  it('of an unknown operation', async () => {
    const test = await createTestCore();
    for (const name of ['no_such_operation', 'constructor', '__proto__', '']) {
      await expect(invoke(test, name, {})).rejects.toMatchObject({ code: 'not_found' });
    }
  });

  it('reports every missing or invalid field, and what was expected', async () => {
    const test = await createTestCore();
    await expect(invoke(test, 'get_dataset', {})).rejects.toMatchObject({
      code: 'invalid_input',
      fields: { dataset_id: 'is required' },
    });
    await expect(invoke(test, 'get_dataset', undefined)).rejects.toMatchObject({ code: 'invalid_input' });
    const wrong = invoke(test, 'add_watched_folder', { dataset_id: 7, path: '/x', exclude: 'none' });
    await expect(wrong).rejects.toMatchObject({
      fields: { dataset_id: expect.any(String), exclude: 'expected array, received string' },
    });
  });

  it('while its feature is off: only users who may see the dataset are informed', async () => {
    const test = await createTestCore({ environment: { VITRINE_DELETE_DATASET_ENABLED: 'false' } });
    await expect(invoke(test, 'delete_dataset', { dataset_id: NOWHERE })).rejects.toMatchObject({ code: 'not_found' });
    const bucketPath = await temporaryFolder();
    await writeImages(bucketPath, [1]);
    const { dataset_id } = await test.call('create_dataset', { dataset_name: 'kept', bucket_path: bucketPath });
    await expect(invoke(test, 'delete_dataset', { dataset_id })).rejects.toMatchObject({ code: 'feature_disabled' });
  });
});

describe('a failure behind a call', () => {
  it('that is unexpected does not disclose its reason, which is logged once', async () => {
    const reason = new Error('cannot open /home/me/secret');
    const { test, errors } = await failing(reason);
    const answer = await invoke(test, 'list_devices', {}).catch((error: unknown) => error);
    expect(answer).toBeInstanceOf(AppError);
    expect(answer).toMatchObject({ code: 'internal' });
    expect(JSON.stringify(answer) + String(answer)).not.toContain('secret');
    expect(errors).toEqual([{ operation_id: 'list_devices', err: reason }]);
  });

  it('of the disk is reported as such, and not as an internal error', async () => {
    const { test, errors } = await failing(Object.assign(new Error('write'), { code: 'ENOSPC' }));
    await expect(invoke(test, 'list_devices', {})).rejects.toMatchObject({ code: 'disk_full' });
    expect(errors).toEqual([]);
  });

  it('of a file is reported in words, and the log has its origin', async () => {
    const reason = Object.assign(new Error('EIO: /home/me/secret'), { code: 'EIO' });
    const { test, errors } = await failing(reason);
    const answer = await invoke(test, 'list_devices', {}).catch((error: unknown) => error);
    expect(answer).toMatchObject({ code: 'storage_failed', message: expect.not.stringContaining('secret') });
    expect(errors).toMatchObject([{ operation_id: 'list_devices', err: { stack: reason.stack } }]);
  });

  it('that is an AppError reaches the caller unchanged', async () => {
    const { test, errors } = await failing(new AppError('conflict', asWritten('another check is running')));
    await expect(invoke(test, 'list_devices', {})).rejects.toMatchObject({
      code: 'conflict',
      message: 'another check is running',
    });
    expect(errors).toEqual([]);
  });
});

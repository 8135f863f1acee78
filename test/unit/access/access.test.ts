import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type OperationId, operations } from '../../../src-main/contract/contract.ts';
import { AppError } from '../../../src-main/contract/errors.ts';
import type { OperationSpec } from '../../../src-main/contract/operation.ts';
import { PERMISSION_SCOPES, WORKSPACE_ROLES, type WorkspaceRole } from '../../../src-main/contract/permissions.ts';
import type { Principal } from '../../../src-main/core/core.ts';
import { callBy, principal } from '../../support/principals.ts';
import { createTestCore, type TestCore } from '../../support/test-core.ts';

const UNKNOWN = '00000000-0000-4000-8000-000000000000';
const stranger = (role: WorkspaceRole): Principal => principal({ role });

/** What operations about the service ask for, and the least role that has it. */
const LEAST_ROLE: Partial<Record<OperationSpec['permission'], WorkspaceRole>> = {
  'datasets:list': 'viewer',
  'datasets:create': 'editor',
  'settings:manage': 'admin',
};

const file = { path: '/nowhere/a.jpg', file_name: 'a.jpg', size_bytes: 1, owned: false };

/** An input that every operation takes: each picks the fields that it knows. */
async function anyInput(data: string, datasetId: string, taskId: string) {
  const ids = { dataset_id: datasetId, task_id: taskId, enrichment_context_id: datasetId };
  const unknown = {
    image_id: UNKNOWN,
    cluster_id: UNKNOWN,
    watch_id: UNKNOWN,
    source_id: UNKNOWN,
    media_id: UNKNOWN,
    snapshot_id: UNKNOWN,
    view_id: UNKNOWN,
    notification_id: UNKNOWN,
    request: { enabled: true },
  };
  const editing = { tag_id: UNKNOWN, media_selection: [{ type: 'media', payload: { media_ids: [] } }] };
  const metadata = { field_name: 'x', field_type: 'string', grant_to_user_email: 'owner@localhost', user_email: 'x@y' };
  const names = { package_id: 'none', model_id: 'none', dataset_name: 'x', name: 'x', path: join(data, 'none') };
  const others = {
    bucket_path: '/nowhere',
    s3_uri: '/nowhere',
    expires: '0',
    signature: 'x',
    transaction_id: 1,
    backup_id: 'x',
    bounding_box: '0,0,1,1',
    anchor_media_id: UNKNOWN,
    export_format: 'json',
    export_task_id: UNKNOWN,
    key: 'ISSUE_BLUR',
    value: '1',
  };
  const enrichment = { enrichment_models: { CAPTION_IMAGES: 'none' }, labels: null, file, files: [file] };
  return { ...ids, ...unknown, ...editing, ...names, ...others, ...metadata, ...enrichment };
}

async function codeOf(core: TestCore, id: OperationId, input: object, caller: Principal): Promise<string> {
  try {
    await core.core.invoke(id, input, callBy(caller));
    return 'done';
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return error.code;
  }
}

/** A dataset of the local owner, with a task. */
async function prepare() {
  const core = await createTestCore({ environment: { RUN_MODE: 'ONPREM' } });
  const { dataset_id } = await core.call('new_dataset', { dataset_name: 'mine' });
  const { trans_id } = await core.call('open_transaction', { dataset_id });
  const input = await anyInput(core.data, dataset_id, UNKNOWN);
  return { core, input: { ...input, transaction_id: trans_id } };
}

/** Explore's `labels` is text and a tagger's a list, so each operation is given what its own schema takes. */
function fitting(operation: OperationSpec, input: Record<string, unknown>): Record<string, unknown> {
  const known = Object.keys(operation.input.shape).filter((name) => name in input);
  return Object.fromEntries(
    known
      .filter((name) => operation.input.shape[name]?.safeParse(input[name]).success)
      .map((name) => [name, input[name]]),
  );
}

const all = Object.entries(operations) as [OperationId, OperationSpec][];
const about = (...scopes: string[]) =>
  all.filter(([, { permission }]) => scopes.includes(PERMISSION_SCOPES[permission]));

describe('who may do what', () => {
  it('every operation about a dataset, image or task names it in its input', () => {
    const subject = { dataset: 'dataset_id', image: 'image_id', task: 'task_id' };
    for (const [id, operation] of about('dataset', 'image', 'task')) {
      const scope = PERMISSION_SCOPES[operation.permission] as keyof typeof subject;
      expect(Object.keys(operation.input.shape), id).toContain(subject[scope]);
    }
  });

  it('hides what is not theirs from strangers of every role, whatever the operation', async () => {
    const { core, input } = await prepare();
    for (const role of WORKSPACE_ROLES) {
      for (const [id, operation] of about('dataset', 'image', 'task')) {
        const code = await codeOf(core, id, fitting(operation, input), stranger(role));
        expect(code, `${id} as ${role}`).toBe('not_found');
      }
    }
    // Nothing was done.
    expect(await core.call('list_datasets', {})).toHaveLength(1);
  });

  it('lets the owner through to every operation about the dataset', async () => {
    const { core, input } = await prepare();
    const owner = core.core.localOwner();
    for (const [id, operation] of about('dataset')) {
      if (id === 'delete_dataset') continue;
      const code = await codeOf(core, id, fitting(operation, input), owner);
      // These ask for something inside the dataset that is not there.
      const parts = [
        'cluster_id',
        'image_id',
        'watch_id',
        'source_id',
        'task_id',
        'export_task_id',
        'snapshot_id',
        'view_id',
      ];
      const inside = id === 'get_query_image' || parts.some((name) => name in operation.input.shape);
      expect(code, id).not.toBe('forbidden');
      expect(code, id).not.toBe('invalid_input');
      if (!inside) expect(code, id).not.toBe('not_found');
    }
  });

  it.each(WORKSPACE_ROLES)('allows %s what the role may do in the service, and no more', async (role) => {
    const { core, input } = await prepare();
    for (const [id, operation] of about('service')) {
      const least = LEAST_ROLE[operation.permission];
      if (least === undefined) continue;
      const allowed = WORKSPACE_ROLES.indexOf(role) <= WORKSPACE_ROLES.indexOf(least);
      const code = await codeOf(core, id, fitting(operation, input), stranger(role));
      if (allowed) expect(code, id).not.toBe('forbidden');
      else expect(code, id).toBe('forbidden');
    }
  });

  it('lists to strangers neither datasets nor tasks', async () => {
    const { core } = await prepare();
    expect(await core.call('list_datasets', {}, stranger('admin'))).toEqual([]);
    expect(await core.call('list_tasks', {}, stranger('admin'))).toMatchObject({ tasks: [], total: 0 });
  });
});

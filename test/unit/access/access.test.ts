import { beforeAll, describe, expect, it } from 'vitest';
import type { Arguments, OperationId } from '../../../src-main/contract/contract.ts';
import { AppError } from '../../../src-main/contract/errors.ts';
import type { AppEvent } from '../../../src-main/contract/events.ts';
import type { Principal } from '../../../src-main/core/core.ts';
import { WITH_ACCOUNTS } from '../../support/accounts.ts';
import { atEnd } from '../../support/at-end.ts';
import { addMember } from '../../support/members.ts';
import { callBy } from '../../support/principals.ts';
import { createTestCore, type TestCore } from '../../support/test-core.ts';

let test: TestCore;
let dataset: string;
const callers: Record<string, Principal> = {};

beforeAll(async () => {
  test = await createTestCore({ environment: WITH_ACCOUNTS, finished: atEnd });
  const add = (name: string, role: Parameters<typeof addMember>[2]) => addMember(test.data, name, role);
  callers.owner = await add('owning', 'editor');
  callers.admin = await add('admin', 'admin');
  callers.editor = await add('editor', 'editor');
  callers.viewer = await add('viewer', 'viewer');
  callers.shared = await add('shared', null);
  callers.stranger = await add('stranger', null);
  ({ dataset_id: dataset } = await test.call('new_dataset', { dataset_name: 'theirs' }, callers.owner));
  const share = { dataset_id: dataset, grant_to_user_email: 'shared@localhost' };
  await test.call('invite', share, callers.owner);
});

async function codeOf<Id extends OperationId>(id: Id, input: Arguments<Id>, caller: string): Promise<string> {
  try {
    await test.call(id, input, callers[caller]);
    return 'done';
  } catch (error) {
    if (error instanceof AppError) return error.code;
    throw error;
  }
}

describe('who may do what with a dataset', () => {
  it.each([
    // Caller, then the outcomes of reading, changing, exporting and owning.
    ['owner', 'done', 'done', 'done', 'done'],
    ['admin', 'done', 'done', 'done', 'done'],
    ['editor', 'done', 'done', 'done', 'forbidden'],
    ['viewer', 'done', 'forbidden', 'forbidden', 'forbidden'],
    ['shared', 'done', 'forbidden', 'forbidden', 'forbidden'],
    ['stranger', 'not_found', 'not_found', 'not_found', 'not_found'],
  ])('%s: views %s, changes %s, exports %s, owns %s', async (caller, looks, changes, exports, owns) => {
    const of = { dataset_id: dataset };
    expect(await codeOf('get_dataset', of, caller)).toBe(looks);
    expect(await codeOf('update_dataset', { ...of, description: caller }, caller)).toBe(changes);
    expect(await codeOf('list_exports', of, caller)).toBe(exports);
    expect(await codeOf('revoke_share', { ...of, user_email: 'nobody@localhost' }, caller)).toBe(owns);
  });

  it.each([
    ['owner', 'ME', 'owner'],
    ['admin', 'owning@localhost', 'owner'],
    ['editor', 'owning@localhost', 'editor'],
    ['viewer', 'owning@localhost', 'viewer'],
    ['shared', 'owning@localhost', 'viewer'],
  ])('is returned to %s: owned by %s, with the role %s', async (caller, ownedBy, role) => {
    const described = { id: dataset, owned_by: ownedBy, created_by: 'owning@localhost', my_role: role };
    expect(await test.call('get_dataset', { dataset_id: dataset }, callers[caller])).toMatchObject(described);
    expect(await test.call('list_datasets', {}, callers[caller])).toMatchObject([described]);
  });

  it('shows strangers no dataset, no task and no event of it', async () => {
    const { stranger, viewer, admin } = callers as Record<string, Principal>;
    expect(await test.call('list_datasets', {}, stranger)).toEqual([]);
    expect(await test.call('list_tasks', { with_service: true }, stranger)).toMatchObject({ tasks: [], total: 0 });
    const events: [AppEvent, string[]][] = [
      [{ name: 'dataset_changed', data: { dataset_id: dataset } }, ['viewer', 'admin']],
      [{ name: 'task_changed', data: { task_id: dataset, dataset_id: dataset } }, ['viewer', 'admin']],
      [{ name: 'task_changed', data: { task_id: dataset, dataset_id: '' } }, ['admin']],
      [{ name: 'models_changed', data: { downloading: [] } }, ['stranger', 'viewer', 'admin']],
      [{ name: 'access_changed', data: { user_id: viewer?.user_id ?? '' } }, ['viewer']],
    ];
    const all = { stranger, viewer, admin };
    for (const [event, expected] of events) {
      const hear = Object.entries(all).filter(([, caller]) => caller && test.core.mayHear(caller, event));
      expect(
        hear.map(([name]) => name),
        event.name,
      ).toEqual(expected);
    }
  });

  it('does not describe the problem of a call to users who may not make it', async () => {
    const { core } = test;
    const wrong = { dataset_id: dataset, display_name: 7 };
    const call = (caller: string) => core.invoke('update_dataset', wrong, callBy(callers[caller] as Principal));
    await expect(call('stranger')).rejects.toMatchObject({ code: 'not_found' });
    await expect(call('viewer')).rejects.toMatchObject({ code: 'forbidden' });
    await expect(call('editor')).rejects.toMatchObject({
      code: 'invalid_input',
      fields: { display_name: expect.any(String) },
    });
  });
});

it('a stream of events ends with an event when the permissions of its account change', async () => {
  const context = callBy(callers.viewer as Principal);
  const stream = (await test.core.invoke('stream_events', {}, context)) as AsyncIterable<{ name: string }>;
  const heard: string[] = [];
  const reading = (async () => {
    for await (const { name } of stream) heard.push(name);
  })();
  await test.call('update_dataset', { dataset_id: dataset, description: 'new' }, callers.owner);
  const change = { member_user_id: callers.viewer?.user_id ?? '', role: 'editor' as const };
  await test.call('set_member_role', change, callers.admin);
  await reading;
  expect(heard).toEqual(['dataset_changed', 'access_changed']);
});

it('a revoked user receives the event of the revocation, and no further events of the dataset', async () => {
  const { shared, owner } = callers as Record<string, Principal>;
  const heard: string[] = [];
  const stop = test.core.subscribe((event) => {
    if (shared && test.core.mayHear(shared, event)) heard.push(event.name);
  });
  await test.call('revoke_share', { dataset_id: dataset, user_email: 'shared@localhost' }, owner);
  await test.call('update_dataset', { dataset_id: dataset, description: 'not for them' }, owner);
  stop();
  expect(heard).toEqual(['access_changed']);
});

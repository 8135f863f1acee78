import { EventEmitter } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { type OperationId, operations } from '../../src-main/contract/contract.ts';
import { AppError } from '../../src-main/contract/errors.ts';
import type { AppEvent } from '../../src-main/contract/events.ts';
import { asWritten, message } from '../../src-main/contract/messages.ts';
import { isForAnyone } from '../../src-main/contract/permissions.ts';
import { ANONYMOUS, type CallContext, type Core, type Credentials, type Principal } from '../../src-main/core/core.ts';
import type { IpcHost, IpcMessageEvent, IpcSender } from '../../src-main/ipc/electron-ipc.ts';
import { mountIpc } from '../../src-main/ipc/mount-ipc.ts';
import { until } from '../support/api.ts';
import { atEnd } from '../support/at-end.ts';
import { principal } from '../support/principals.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const BASE_URL = 'http://127.0.0.1:2080';
const SESSION = { token: 'a-token', expires_at: '2030-01-01T00:00:00.000Z' };
const OWNER = principal({ role: 'admin', is_local_owner: true });
let temporary: string;

beforeAll(async () => {
  temporary = await temporaryFolder(atEnd);
});

const DATASET_ID = '6f1c1f9e-5f0f-4a37-9a0c-1f1f1f1f1f1f';

/** A core that records its calls and gives prepared responses. */
class RecordingCore implements Core {
  readonly calls: { operation_id: string; input: unknown; context: CallContext }[] = [];
  readonly credentials: Credentials[] = [];
  isSessionOver = false;
  readonly #listeners = new Set<(event: AppEvent) => void>();
  readonly #answer: (context: CallContext) => Promise<unknown>;

  constructor(answer: (context: CallContext) => Promise<unknown> = async () => null) {
    this.#answer = answer;
  }

  invoke(operationId: string, input: unknown, context: CallContext): Promise<unknown> {
    this.calls.push({ operation_id: operationId, input, context });
    return this.#answer(context);
  }
  subscribe(listener: (event: AppEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
  emit(event: AppEvent): void {
    for (const listener of this.#listeners) listener(event);
  }
  listenerCount(): number {
    return this.#listeners.size;
  }
  mayHear(): boolean {
    return true;
  }
  isSignedIn(): boolean {
    return !this.isSessionOver;
  }
  async authenticate(credentials: Credentials): Promise<Principal> {
    this.credentials.push(credentials);
    return OWNER;
  }
  localOwner(): Principal {
    return OWNER;
  }
  async close(): Promise<void> {
    this.#listeners.clear();
  }
}

/** `ipcMain` in memory. Values are cloned, as between processes. */
class MemoryIpc implements IpcHost {
  readonly handlers = new Map<string, (event: IpcMessageEvent, ...values: unknown[]) => unknown>();
  handle(channel: string, listener: (event: IpcMessageEvent, ...values: unknown[]) => unknown): void {
    if (this.handlers.has(channel)) throw new Error(`second handler for ${channel}`);
    this.handlers.set(channel, listener);
  }
  removeHandler(channel: string): void {
    this.handlers.delete(channel);
  }
}

class MemoryRenderer extends EventEmitter implements IpcSender {
  readonly id: number;
  readonly received: { channel: string; value: unknown }[] = [];
  readonly #ipc: MemoryIpc;
  readonly #url: string;
  #isDestroyed = false;

  constructor(ipc: MemoryIpc, id = 1, url = 'vitrine://app/') {
    super();
    this.#ipc = ipc;
    this.id = id;
    this.#url = url;
  }
  isDestroyed(): boolean {
    return this.#isDestroyed;
  }
  destroy(): void {
    this.#isDestroyed = true;
    this.emit('destroyed');
  }
  send(channel: string, value: unknown): void {
    if (this.#isDestroyed) throw new Error('sent to a destroyed renderer');
    this.received.push({ channel, value: structuredClone(value) });
  }
  async invoke(channel: string, ...values: unknown[]): Promise<unknown> {
    const handler = this.#ipc.handlers.get(channel);
    if (handler === undefined) throw new Error(`no handler for ${channel}`);
    const event: IpcMessageEvent = { sender: this, senderFrame: { url: this.#url, parent: null } };
    return structuredClone(await handler(event, ...structuredClone(values)));
  }
}

function mounted(core: RecordingCore) {
  const ipc = new MemoryIpc();
  const unmount = mountIpc({
    core,
    ipc,
    isTrustedSender: (event) => event.senderFrame?.url === 'vitrine://app/',
    temporaryFolder: temporary,
    baseUrl: BASE_URL,
  });
  const renderer = new MemoryRenderer(ipc);
  const call = (operation: unknown, input?: unknown) => renderer.invoke('vitrine:invoke', operation, input);
  return { ipc, unmount, renderer, call };
}

describe('the contract over IPC', () => {
  it('calls every operation that answers with data, as the owner, with the address of the media', async () => {
    const core = new RecordingCore(async () => ({ fine: true, session: SESSION }));
    const { call } = mounted(core);
    const callable = Object.entries(operations).filter(
      ([, { reply }]) => reply !== 'file' && reply !== 'stream' && reply !== 'redirect',
    );
    expect(callable.length).toBeGreaterThan(10);
    for (const [id] of callable) {
      expect(await call(id, { dataset_id: DATASET_ID })).toMatchObject({ ok: true, result: { fine: true } });
      const { operation_id, input, context } = core.calls.at(-1) ?? {};
      expect(operation_id).toBe(id);
      expect(input).toEqual({ dataset_id: DATASET_ID });
      const caller = isForAnyone(operations[id as OperationId].permission) ? ANONYMOUS : OWNER;
      expect(context).toMatchObject({ principal: caller, baseUrl: BASE_URL });
      expect(context?.signal.aborted).toBe(false);
    }
  });

  it('keeps the token of a session from the page, calls with it, and forgets it at the end', async () => {
    const core = new RecordingCore(async () => ({ user: 'ann', session: SESSION }));
    const { call } = mounted(core);
    expect(await call('login', {})).toEqual({ ok: true, result: { user: 'ann' } });
    for (const id of ['list_datasets', 'logout', 'list_datasets']) await call(id, {});
    expect(core.credentials.map(({ session }) => session)).toEqual([SESSION.token, SESSION.token, undefined]);
  });

  it('answers an operation without a result with null, and treats no input as an empty one', async () => {
    const core = new RecordingCore(async () => undefined);
    const { call } = mounted(core);
    expect(await call('list_datasets')).toEqual({ ok: true, result: null });
    expect(core.calls[0]?.input).toEqual({});
  });

  it.each([['get_media_file'], ['get_thumbnail'], ['get_cover_sheet'], ['stream_events']])(
    'refuses %s, which has no form over IPC',
    async (id) => {
      const core = new RecordingCore();
      expect(await mounted(core).call(id, {})).toMatchObject({ ok: false, error: { code: 'invalid_request' } });
      expect(core.calls).toEqual([]);
    },
  );

  it.each([['no_such_thing'], ['constructor'], ['__proto__'], [''], [null], [7], [{ id: 'list_datasets' }]])(
    'refuses the unknown operation %j',
    async (id) => {
      const core = new RecordingCore();
      expect(await mounted(core).call(id, {})).toEqual({
        ok: false,
        error: { code: 'not_found', detail: 'There is no such operation', reason: message('operation_unknown') },
      });
      expect(core.calls).toEqual([]);
    },
  );

  it('returns an error as its body', async () => {
    const core = new RecordingCore(async () => {
      throw new AppError('invalid_input', asWritten('dataset_name: is required'), { dataset_name: 'is required' });
    });
    expect(await mounted(core).call('create_dataset', {})).toEqual({
      ok: false,
      error: { code: 'invalid_input', detail: 'dataset_name: is required', fields: { dataset_name: 'is required' } },
    });
  });

  it('reveals no stacks or paths in unexpected errors', async () => {
    const core = new RecordingCore(async () => {
      throw new Error(`ENOENT: open '${import.meta.filename}'`);
    });
    const reply = await mounted(core).call('list_datasets', {});
    expect(reply).toMatchObject({ ok: false, error: { code: 'internal' } });
    expect(JSON.stringify(reply)).not.toMatch(/ENOENT|\.ts|\bat\b/);
  });

  it('refuses other pages and frames, and gives them no events', async () => {
    const core = new RecordingCore();
    const { ipc } = mounted(core);
    const stranger = new MemoryRenderer(ipc, 2, 'https://example.org/');
    expect(await stranger.invoke('vitrine:invoke', 'list_datasets', {})).toMatchObject({
      ok: false,
      error: { code: 'forbidden' },
    });
    await stranger.invoke('vitrine:subscribe', true);
    core.emit({ name: 'dataset_deleted', data: { dataset_id: DATASET_ID } });
    expect(core.calls).toEqual([]);
    expect(stranger.received).toEqual([]);
  });
});

describe('picked files over IPC', () => {
  const file = { path: '/photos/a.jpg', file_name: 'a.jpg', size_bytes: 3, owned: true, extra: 'dropped' };

  it('are never deleted', async () => {
    const core = new RecordingCore();
    const { call } = mounted(core);
    await call('upload_files', {
      dataset_id: DATASET_ID,
      transaction_id: 1,
      files: [file, { ...file, path: '/b.jpg' }],
    });
    expect(core.calls[0]?.input).toEqual({
      dataset_id: DATASET_ID,
      transaction_id: 1,
      files: [
        { path: '/photos/a.jpg', file_name: 'a.jpg', size_bytes: 3, owned: false },
        { path: '/b.jpg', file_name: 'a.jpg', size_bytes: 3, owned: false },
      ],
    });
  });

  it.each([[''], ['a.jpg'], ['../a.jpg'], ['/a\0.jpg'], [undefined], [5]])(
    'need an absolute path: not %j',
    async (path) => {
      const core = new RecordingCore();
      const reply = await mounted(core).call('upload_files', { files: [{ ...file, path }] });
      expect(reply).toMatchObject({
        ok: false,
        error: { code: 'invalid_input', fields: { files: expect.any(String) } },
      });
      expect(core.calls).toEqual([]);
    },
  );

  it('may be pasted bytes, which are deleted after the call', async () => {
    let read = '';
    const core = new RecordingCore();
    const answer = core.invoke.bind(core);
    core.invoke = async (operationId, input, context) => {
      read = await readFile((input as { file: { path: string } }).file.path, 'utf8');
      return answer(operationId, input, context);
    };
    const pasted = {
      bytes: new TextEncoder().encode('pasted'),
      file_name: 'image.png',
      path: '/etc/passwd',
      owned: false,
    };
    const reply = await mounted(core).call('search_image_similarity', { dataset_id: DATASET_ID, file: pasted });
    expect(reply).toMatchObject({ ok: true });
    expect(read).toBe('pasted');
    expect(core.calls[0]?.input).toMatchObject({ file: { file_name: 'image.png', size_bytes: 6, owned: true } });
    expect(await readdir(temporary)).toEqual([]);
  });

  it('leave malformed values to the operation', async () => {
    const core = new RecordingCore();
    const { call } = mounted(core);
    for (const input of [null, 5, { files: 'a.jpg' }, { files: [null] }, {}]) await call('upload_files', input);
    expect(core.calls.map(({ input }) => input)).toEqual([null, 5, { files: 'a.jpg' }, { files: [null] }, {}]);
  });
});

describe('events over IPC', () => {
  const event: AppEvent = { name: 'dataset_changed', data: { dataset_id: DATASET_ID } };

  it('reach the documents that listen, until they stop', async () => {
    const core = new RecordingCore();
    const { ipc, renderer } = mounted(core);
    const other = new MemoryRenderer(ipc, 2);
    await other.invoke('vitrine:invoke', 'list_datasets', {});
    await renderer.invoke('vitrine:subscribe', true);
    core.emit(event);
    await renderer.invoke('vitrine:subscribe', false);
    core.emit(event);
    expect(renderer.received).toEqual([{ channel: 'vitrine:event', value: event }]);
    expect(other.received).toEqual([]);
  });

  it('end with their session', async () => {
    const core = new RecordingCore();
    const { renderer } = mounted(core);
    await renderer.invoke('vitrine:subscribe', true);
    core.isSessionOver = true;
    core.emit(event);
    core.emit({ name: 'access_changed', data: { user_id: OWNER.user_id } });
    expect(renderer.received.map(({ value }) => (value as AppEvent).name)).toEqual(['access_changed']);
  });

  it.each([['destroyed'], ['reloaded'], ['crashed']])('end when the document is %s', async (how) => {
    const core = new RecordingCore();
    const { renderer } = mounted(core);
    await renderer.invoke('vitrine:subscribe', true);
    leave(renderer, how);
    core.emit(event);
    expect(renderer.received).toEqual([]);
  });
});

describe('calls of a closed renderer', () => {
  const untilAborted = ({ signal }: CallContext): Promise<unknown> =>
    new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(new AppError('unavailable', asWritten('The caller disconnected'))));
    });

  it.each([['destroyed'], ['reloaded'], ['crashed']])('are aborted when the document is %s', async (how) => {
    const core = new RecordingCore(untilAborted);
    const { renderer, call } = mounted(core);
    const replies = Promise.all([call('list_datasets'), call('list_datasets')]);
    leave(renderer, how);
    expect(await replies).toMatchObject([{ ok: false }, { ok: false }]);
  });

  it('are not aborted by a frame or by a change of the hash', async () => {
    const core = new RecordingCore(untilAborted);
    const { renderer, call } = mounted(core);
    const reply = call('list_datasets');
    renderer.emit('did-start-navigation', { isMainFrame: true, isSameDocument: true });
    renderer.emit('did-start-navigation', { isMainFrame: false, isSameDocument: false });
    await until(() => core.calls.length);
    expect(core.calls[0]?.context.signal.aborted).toBe(false);
    leave(renderer, 'destroyed');
    await reply;
  });

  it('are aborted when the adapter is closed, which leaves nothing behind', async () => {
    const core = new RecordingCore(untilAborted);
    const { ipc, renderer, call, unmount } = mounted(core);
    await renderer.invoke('vitrine:subscribe', true);
    const reply = call('list_datasets');
    unmount();
    expect(await reply).toMatchObject({ ok: false });
    expect(core.listenerCount()).toBe(0);
    expect(ipc.handlers.size).toBe(0);
    expect(renderer.listenerCount('render-process-gone') + renderer.listenerCount('did-start-navigation')).toBe(0);
  });
});

function leave(renderer: MemoryRenderer, how: string): void {
  if (how === 'destroyed') renderer.destroy();
  else if (how === 'crashed') renderer.emit('render-process-gone');
  else renderer.emit('did-start-navigation', { isMainFrame: true, isSameDocument: false });
}

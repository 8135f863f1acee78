import { EventEmitter, once } from 'node:events';
import { copyFile, readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { beforeAll, describe, expect, it } from 'vitest';
import { ZipFile } from 'yazl';
import { builtWorkers } from '../../src-main/compose/worker-entries.ts';
import type { Dataset } from '../../src-main/contract/schemas/dataset.ts';
import type { WatchedFolder } from '../../src-main/contract/schemas/watched-folder.ts';
import { spawnNodeChild } from '../../src-main/infra/local-jobs/spawn-node-child.ts';
import type { IpcHost, IpcMessageEvent, IpcSender } from '../../src-main/ipc/electron-ipc.ts';
import { INVOKE_CHANNEL, type InvokeReply, mountIpc } from '../../src-main/ipc/mount-ipc.ts';
import { startService } from '../../src-main/start-service.ts';
import { until } from '../support/api.ts';
import { atEnd } from '../support/at-end.ts';
import { image, writeImages } from '../support/images.ts';
import { repository } from '../support/server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const UNKNOWN = '00000000-0000-4000-8000-000000000000';
const PAGE = { url: 'vitrine://app/', parent: null };

/** `ipcMain` at the other end of a message channel. As between processes, values are cloned and arrive later. */
class ChannelIpc implements IpcHost {
  readonly #handlers = new Map<string, (event: IpcMessageEvent, ...values: unknown[]) => unknown>();
  constructor(port: MessagePort, sender: IpcSender) {
    port.on('message', async ({ call, channel, values }) => {
      const answer = await this.#handlers.get(channel)?.({ sender, senderFrame: PAGE }, ...values);
      port.postMessage({ call, answer });
    });
  }
  handle(channel: string, listener: (event: IpcMessageEvent, ...values: unknown[]) => unknown): void {
    this.#handlers.set(channel, listener);
  }
  removeHandler(channel: string): void {
    this.#handlers.delete(channel);
  }
}

class Renderer extends EventEmitter implements IpcSender {
  readonly id = 1;
  isDestroyed(): boolean {
    return false;
  }
  send(): void {
    throw new Error('nobody subscribed');
  }
}

let call: <T>(operation: string, input: object) => Promise<T>;
let refusal: (operation: string, input: object) => Promise<{ code: string; detail: string }>;
let photos: string;
let id: string;

beforeAll(async () => {
  const service = await startService({
    dataFolder: await temporaryFolder(atEnd),
    port: 0,
    spawnChild: spawnNodeChild,
    workers: builtWorkers(join(repository, 'out', 'main')),
    rendererFolder: null,
    version: '0.0.0',
  });
  const { port1, port2 } = new MessageChannel();
  const { core, baseUrl } = service;
  const unmount = mountIpc({
    core,
    ipc: new ChannelIpc(port2, new Renderer()),
    isTrustedSender: (event) => event.senderFrame?.url === PAGE.url,
    temporaryFolder: service.temporaryFolder,
    baseUrl,
  });
  atEnd(async () => {
    unmount();
    port1.close();
    await service.close();
  });
  let nCalls = 0;
  const answers = new EventEmitter();
  port1.on('message', ({ call: nth, answer }) => answers.emit(String(nth), answer));
  const invoke = async (operation: string, input: object): Promise<InvokeReply> => {
    nCalls += 1;
    const answered = once(answers, String(nCalls));
    port1.postMessage({ call: nCalls, channel: INVOKE_CHANNEL, values: [operation, input] });
    return (await answered)[0];
  };
  call = async <T>(operation: string, input: object) => {
    const reply = await invoke(operation, input);
    if (!reply.ok) throw new Error(`${operation}: ${reply.error.detail}`);
    return reply.result as T;
  };
  refusal = async (operation, input) => {
    const reply = await invoke(operation, input);
    if (reply.ok) throw new Error(`${operation} was not refused`);
    return reply.error;
  };

  photos = await temporaryFolder(atEnd);
  await writeImages(photos, [1, 2, 3]);
  const created = await call<{ dataset_id: string }>('create_dataset', { dataset_name: 'ipc', bucket_path: photos });
  id = created.dataset_id;
  await rests('READY');
});

function rests(status: Dataset['status_new'], nImages?: number): Promise<Dataset> {
  return until(
    () => call<Dataset>('get_dataset', { dataset_id: id }),
    (dataset) => dataset.status_new === status && (nImages === undefined || dataset.n_images === nImages),
  );
}

/** Returns what the preload provides for a file that the user picked. */
async function picked(path: string) {
  return { path, file_name: basename(path), size_bytes: (await readFile(path)).length, owned: true };
}

async function zipOf(seeds: number[]): Promise<string> {
  const zip = new ZipFile();
  for (const seed of seeds) zip.addBuffer(await image(seed), `inside/${seed}.jpg`);
  zip.end();
  const file = join(await temporaryFolder(), 'more.zip');
  await writeFile(file, zip.outputStream);
  return file;
}

const batchKinds = async () =>
  (await call<{ batches: { kind: string; n_done: number }[] }>('list_batches', { dataset_id: id })).batches.map(
    ({ kind, n_done }) => ({ kind, n_done }),
  );

const watches = async () =>
  (await call<{ watched_folders: WatchedFolder[] }>('list_watched_folders', { dataset_id: id })).watched_folders;

describe('media over IPC', () => {
  it('imports picked files and an archive, and leaves both in place', async () => {
    const [file = ''] = await writeImages(await temporaryFolder(), [10]);
    const bytes = await readFile(file);
    expect(await call('add_media', { dataset_id: id, files: [await picked(file)] })).toBeNull();
    await rests('PARTIAL INDEX', 4);
    const archive = await zipOf([11, 12]);
    expect(await call('add_media', { dataset_id: id, archive: await picked(archive), auto_reindex: true })).toBeNull();
    await rests('READY', 6);
    expect(await readFile(file)).toEqual(bytes);
    expect((await readFile(archive)).length).toBeGreaterThan(0);
    expect(await batchKinds()).toEqual([
      { kind: 'archive', n_done: 2 },
      { kind: 'upload', n_done: 1 },
      { kind: 'folder', n_done: 3 },
    ]);
  });

  it('refuses two sources at once, no source, and missing files', async () => {
    const [file = ''] = await writeImages(await temporaryFolder(), [13]);
    const archive = await picked(await zipOf([14]));
    const two = await refusal('add_media', { dataset_id: id, files: [await picked(file)], archive });
    expect(two.code).toMatch(/^invalid/);
    expect((await refusal('add_media', { dataset_id: id })).code).toMatch(/^invalid/);
    expect((await refusal('list_batches', { dataset_id: UNKNOWN })).code).toBe('not_found');
    await rests('READY', 6);
  });

  it('watches a folder, shows its state, rescans it and removes it', async () => {
    const root = await temporaryFolder();
    await copyFile(join(photos, 'image-00001.jpg'), join(root, 'known.jpg'));
    await writeImages(root, [20]);
    const added = await call<WatchedFolder>('add_watched_folder', { dataset_id: id, path: root, exclude: ['raw/**'] });
    expect(added).toMatchObject({ path: root, exclude: ['raw/**'], paused: false });
    await until(watches, ([watch]) => watch?.state === 'watching');
    await rests('PARTIAL INDEX', 8);
    await writeImages(root, [21]);
    await rests('PARTIAL INDEX', 9);
    const { last_scan_at } = (await watches())[0] ?? {};
    const rescanned = await call<WatchedFolder>('rescan_watched_folder', { dataset_id: id, watch_id: added.watch_id });
    expect(rescanned.watch_id).toBe(added.watch_id);
    await until(watches, ([watch]) => watch?.state === 'watching' && watch.last_scan_at !== last_scan_at);
    expect((await batchKinds())[0]?.kind).toBe('watch');
    expect(await call('remove_watched_folder', { dataset_id: id, watch_id: added.watch_id })).toEqual({
      removed: true,
      watch_id: added.watch_id,
    });
    expect(await watches()).toEqual([]);
    await rests('PARTIAL INDEX', 9);
    expect(await refusal('rescan_watched_folder', { dataset_id: id, watch_id: added.watch_id })).toMatchObject({
      code: 'not_found',
    });
  });
});

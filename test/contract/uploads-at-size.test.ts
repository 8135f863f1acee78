import { readdir, readFile, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { ExploreResult } from '../../src-main/contract/schemas/explore.ts';
import { type Api, json } from '../support/api.ts';
import { atEnd } from '../support/at-end.ts';
import { seeded } from '../support/images.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { openData } from '../support/test-api.ts';
import { tinyPng } from '../support/tiny-png.ts';

const FILES_PER_REQUEST = 50;
/** All of them send more files than any batch of the core contains. */
const REQUESTS = 42;
const REQUESTS_AT_ONCE = 6;
const REPEATED_REQUESTS = 14;
const LIMIT_MS = 300_000;

let api: Api;
let data: string;

beforeAll(async () => {
  data = await temporaryFolder(atEnd);
  ({ api } = await openData(data, { finished: atEnd }));
});

/** Creates a draft and returns its upload path. */
async function openDraft(name: string): Promise<{ id: string; trans_id: number; path: string }> {
  const { body: draft } = await api.get<{ dataset_id: string }>(`/ingestion/new_dataset?dataset_name=${name}`);
  const { body } = await api.get<{ trans_id: number }>(`/ingestion/${draft.dataset_id}/data_files`);
  const path = `/ingestion/${draft.dataset_id}/data_files/${body.trans_id}`;
  return { id: draft.dataset_id, trans_id: body.trans_id, path };
}

function filesOf(nth: number): FormData {
  const body = new FormData();
  for (let index = 0; index < FILES_PER_REQUEST; index += 1) {
    const seed = nth * FILES_PER_REQUEST + index;
    body.append('files', new Blob([new Uint8Array(tinyPng(seed))]), `folder ${nth % 7}/dots-${seed}.png`);
  }
  return body;
}

const filesBelow = async (folder: string): Promise<string[]> =>
  (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => entry.name);

describe('2,100 files in 42 requests', () => {
  it('become 2,100 items in any order, even if requests are repeated', { timeout: LIMIT_MS }, async () => {
    const { id, trans_id, path } = await openDraft('thousands');
    const random = seeded(3);
    const order = [...Array(REQUESTS).keys(), ...Array(REPEATED_REQUESTS).keys()]
      .map((nth) => ({ nth, at: random() }))
      .sort((a, b) => a.at - b.at);
    // A retry may also arrive while the original request still runs.
    order.splice(1, 0, ...order.slice(0, 1));
    const sender = async (): Promise<void> => {
      for (let next = order.pop(); next !== undefined; next = order.pop()) {
        const { status, body } = await api.call('POST', path, { body: filesOf(next.nth) });
        expect(status).toBe(202);
        expect(body).toMatchObject({ trans_id, accepted: FILES_PER_REQUEST, refused: [] });
      }
    };
    await Promise.all(Array.from({ length: REQUESTS_AT_ONCE }, sender));
    expect((await api.post(`/ingestion/${id}/process_files/${trans_id}`)).status).toBe(202);
    const nImages = REQUESTS * FILES_PER_REQUEST;
    expect(await api.waitFor(id, 'READY', LIMIT_MS)).toMatchObject({
      n_images: nImages,
      n_file_errors: 0,
      n_videos: 0,
    });
    const { body: page } = await api.get<ExploreResult>(`/explore/${id}?entity_type=IMAGES&threshold=0`);
    expect(page.metadata.total_items).toBe(nImages);
    const kept = await filesBelow(join(data, 'media'));
    expect(kept).toHaveLength(nImages);
    expect(new Set(kept).size).toBe(nImages);
    await expect.poll(() => readdir(join(data, 'temporary'))).toEqual([]);
  });
});

describe('one request', () => {
  it('stores equal content under several names once, and files of any size completely', async () => {
    const { id, trans_id, path } = await openDraft('sizes');
    const large = Buffer.concat([
      tinyPng(1_000_001),
      Buffer.alloc(3_500_000, 'after the end of a PNG anything may follow'),
    ]);
    const body = new FormData();
    for (let copy = 0; copy < 30; copy += 1)
      body.append('files', new Blob([new Uint8Array(tinyPng(1_000_002))]), `${copy}.png`);
    body.append('files', new Blob([new Uint8Array(large)]), 'large.png');
    body.append('files', new Blob([]), 'empty.png');
    body.append('files', new Blob(['no image']), 'notes.txt');
    const before = new Set(await filesBelow(join(data, 'media')));
    expect((await api.call('POST', path, { body })).body).toMatchObject({
      accepted: 32,
      refused: [{ file_name: 'notes.txt' }],
    });
    const kept = (await filesBelow(join(data, 'media'))).filter((name) => !before.has(name));
    expect(kept).toHaveLength(3);
    await api.post(`/ingestion/${id}/process_files/${trans_id}`);
    expect(await api.waitFor(id, 'READY')).toMatchObject({ n_images: 31, n_file_errors: 2 });
    const stored = await readdir(join(data, 'media'), { recursive: true });
    const contents = await Promise.all(
      stored
        .filter((name) => kept.some((one) => name.endsWith(one)))
        .map((name) => readFile(join(data, 'media', name))),
    );
    expect(contents.some((content) => content.equals(large))).toBe(true);
  });

  it('leaves nothing behind when it ends between files or inside a large one', async () => {
    const { id, path } = await openDraft('broken off');
    const before = await filesBelow(join(data, 'media'));
    const head = (name: string) =>
      `--x\r\nContent-Disposition: form-data; name="files"; filename="${name}.png"\r\n\r\n`;
    const upload = request(`${api.baseUrl}/api/v1${path}`, {
      method: 'POST',
      headers: { 'Content-Type': 'multipart/form-data; boundary=x', 'Content-Length': '100000000' },
    });
    const broken = new Promise((resolve) => upload.once('error', resolve));
    for (let nth = 0; nth < 20; nth += 1) {
      upload.write(Buffer.concat([Buffer.from(head(`small-${nth}`)), tinyPng(nth), Buffer.from('\r\n')]));
    }
    upload.write(head('large'));
    upload.write(Buffer.alloc(5_000_000, 'x'));
    const spooled = async () => (await filesBelow(join(data, 'temporary'))).length;
    await expect.poll(spooled).toBe(21);
    upload.destroy();
    await broken;
    await expect.poll(() => readdir(join(data, 'temporary'))).toEqual([]);
    expect(await filesBelow(join(data, 'media'))).toEqual(before);
    expect((await api.get(`/dataset/${id}`)).body).toMatchObject({ status_new: 'DRAFT', n_images: 0 });
  });

  it('cannot move a file of this machine by naming it', async () => {
    const { path } = await openDraft('by name');
    const mine = join(await temporaryFolder(), 'mine.png');
    await writeFile(mine, tinyPng(1));
    const files = [{ path: mine, file_name: 'mine.png', size_bytes: 1, owned: true }];
    const answer = await api.call('POST', path, json({ files }));
    expect(answer).toMatchObject({ status: 422, body: { detail: expect.stringContaining('files') } });
    expect(await readFile(mine)).toEqual(tinyPng(1));
  });
});

import { writeFile } from 'node:fs/promises';
import { createServer, type Server as HttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Dataset, FileError } from '../../src-main/contract/schemas/dataset.ts';
import type { ExploreResult } from '../../src-main/contract/schemas/explore.ts';
import type { Api } from '../support/api.ts';
import { atEnd } from '../support/at-end.ts';
import { image } from '../support/images.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { openData } from '../support/test-api.ts';

const SECRET = 'hush-hush';

let media: HttpServer;
let host: string;
let requested: string[] = [];

/** A web server on loopback with an image at every `<seed>.jpg`, one URL that redirects, and nothing else. */
beforeAll(async () => {
  media = createServer(async (request, reply) => {
    requested.push(request.url ?? '');
    const { pathname } = new URL(request.url ?? '', 'http://here');
    const seed = /^\/album\/(\d+)\.jpg$/.exec(pathname)?.[1];
    if (pathname === '/moved.jpg') reply.writeHead(302, { location: '/album/3.jpg' }).end();
    else if (pathname === '/wrong.jpg') reply.writeHead(200, { 'content-type': 'text/html' }).end('<p>no image</p>');
    else if (seed === undefined) reply.writeHead(404).end(`nothing at ${pathname} of the inner network`);
    else reply.writeHead(200, { 'content-type': 'image/jpeg' }).end(await image(Number(seed)));
  });
  await new Promise<void>((listening) => media.listen(0, '127.0.0.1', listening));
  host = `127.0.0.1:${(media.address() as AddressInfo).port}`;
  atEnd(() => {
    media.closeAllConnections();
    media.close();
  });
});

/** Creates a READY dataset of one local image, and a folder for lists beside it. */
async function datasetWithOne(api: Api, name: string): Promise<{ id: string; folder: string }> {
  const folder = await temporaryFolder();
  await writeFile(join(folder, 'here.jpg'), await image(100));
  const id = await api.createFromFolder(name, folder);
  await api.waitFor(id, 'READY');
  return { id, folder };
}

async function fileErrors(api: Api, id: string): Promise<FileError[]> {
  return (await api.get<{ file_errors: FileError[] }>(`/dataset/${id}/file_errors`)).body.file_errors;
}

describe('http addresses in a list', () => {
  it('are fetched if private networks are allowed, and each failure is reported', async () => {
    const environment = { VITRINE_ALLOW_PRIVATE_MEDIA_URLS: 'true' };
    const { api } = await openData(await temporaryFolder(), { environment });
    const { id, folder } = await datasetWithOne(api, 'allowed');
    await writeFile(join(folder, 'more.jpg'), await image(101));
    const list = join(folder, 'list.csv');
    const lines = [
      'filename',
      `http://${host}/album/1.jpg`,
      `http://${host}/album/2.jpg?token=${SECRET}`,
      `http://${host}/moved.jpg`,
      'more.jpg',
      `http://${host}/album/1.jpg`,
      `http://${host}/gone.jpg?token=${SECRET}`,
      `http://${host}/wrong.jpg`,
    ];
    await writeFile(list, lines.join('\n'));
    expect((await api.post(`/dataset/${id}/add_media`, { s3_uri: list, auto_reindex: 'true' })).status).toBe(202);
    const dataset: Dataset = await api.waitFor(id, 'READY');
    expect(dataset).toMatchObject({ n_images: 5, n_file_errors: 2 });
    const errors = await fileErrors(api, id);
    expect(errors.map(({ file_path }) => file_path).sort()).toEqual([
      expect.stringContaining('gone.jpg'),
      expect.stringContaining('wrong.jpg'),
    ]);
    expect(JSON.stringify(errors)).not.toMatch(new RegExp(`${SECRET}|inner network|${folder}`));
    const { body: page } = await api.get<ExploreResult>(`/explore/${id}?entity_type=IMAGES&threshold=0`);
    expect(page.metadata.total_items).toBe(5);
    // The files were downloaded and stored, so the server is no longer needed.
    for (const preview of page.clusters.flatMap((cluster) => cluster.previews)) {
      expect((await fetch(preview.image_uri)).status, preview.file_name).toBe(200);
    }
    expect(requested.filter((path) => path === '/album/1.jpg')).toHaveLength(1);
  });

  it('are otherwise refused and reported, without a request to the private network', async () => {
    requested = [];
    const { api } = await openData(await temporaryFolder());
    const { id, folder } = await datasetWithOne(api, 'refused');
    const list = join(folder, 'list.txt');
    const port = host.split(':')[1];
    const addresses = [host, `localhost:${port}`, `[::1]:${port}`, `0.0.0.0:${port}`, `2130706433:${port}`];
    await writeFile(join(folder, 'more.jpg'), await image(102));
    const refused = addresses.map((at, nth) => `http://${at}/album/${nth}.jpg?token=${SECRET}`);
    await writeFile(list, [...refused, 'more.jpg'].join('\n'));
    expect((await api.post(`/dataset/${id}/add_media`, { s3_uri: list })).status).toBe(202);
    expect(await api.waitFor(id, 'PARTIAL INDEX')).toMatchObject({ n_images: 2, n_file_errors: addresses.length });
    const errors = await fileErrors(api, id);
    expect(errors.map(({ file_path }) => file_path.split('/').at(-1)).sort()).toEqual(
      addresses.map((_, nth) => `${nth}.jpg`),
    );
    for (const { reason } of errors) {
      expect(reason).toMatch(/private/i);
      expect(reason).not.toMatch(/127\.0\.0\.1|::1|ECONN|token/);
    }
    expect(JSON.stringify(errors)).not.toContain(SECRET);
    expect(requested).toEqual([]);
  });
});

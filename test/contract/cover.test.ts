import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import type { ExploreResult } from '../../src-main/contract/schemas/explore.ts';
import { Api } from '../support/api.ts';
import { atEnd } from '../support/at-end.ts';
import { writeImages } from '../support/images.ts';
import { startServer } from '../support/server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

describe('the cover of a cluster', () => {
  it('is one signed image of its previews', async () => {
    const folder = await temporaryFolder(atEnd);
    const [first, second] = await writeImages(folder, [1, 2]);
    if (first === undefined || second === undefined) throw new Error('no image was written');
    for (const name of ['a', 'b', 'c']) await copyFile(first, join(folder, `${name}.jpg`));
    const server = await startServer(await temporaryFolder(atEnd));
    atEnd(async () => {
      await server.stop();
    });
    const api = new Api(server.baseUrl);
    const dataset = await api.createFromFolder('Covers', folder, { encoder: 'none' });
    await api.waitFor(dataset, 'READY');

    const { body } = await api.get<ExploreResult>(`/explore/${dataset}?threshold=1`);
    const [copies, single] = body.clusters;
    expect(single?.cover_uri).toBeNull();
    const uri = copies?.cover_uri ?? '';
    for (const n of ['', '&n=2', '&n=1']) {
      const answer = await fetch(`${uri}${n}`);
      expect(answer.status).toBe(200);
      expect(answer.headers.get('content-type')).toBe('image/webp');
      expect(answer.headers.get('cache-control')).toContain('immutable');
      expect(await sharp(Buffer.from(await answer.arrayBuffer())).metadata()).toMatchObject({
        width: 384,
        height: 384,
      });
      const again = await fetch(`${uri}${n}`, { headers: { 'If-None-Match': answer.headers.get('etag') ?? '' } });
      expect(again.status).toBe(304);
    }
    expect((await fetch(`${uri}&n=10`)).status).toBe(422);
    expect((await fetch(uri.replace(/signature=.{4}/, 'signature=AAAA'))).status).toBe(403);
    const [id = ''] = /[0-9a-f-]{36},/.exec(uri) ?? [];
    expect((await fetch(uri.replace(id, ''))).status).toBe(403);
  });
});

import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { COVER_SHEET, type ExploreResult } from '../../src-main/contract/schemas/explore.ts';
import type { ItemPage } from '../../src-main/contract/schemas/facets.ts';
import { atEnd } from '../support/at-end.ts';
import { writeImages } from '../support/images.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { openData } from '../support/test-api.ts';

describe('the covers of clusters and items', () => {
  it('come as one signed image a page', async () => {
    const folder = await temporaryFolder(atEnd);
    const [first, second] = await writeImages(folder, [1, 2]);
    if (first === undefined || second === undefined) throw new Error('no image was written');
    for (const name of ['a', 'b', 'c']) await copyFile(first, join(folder, `${name}.jpg`));
    const { api } = await openData(await temporaryFolder(atEnd), { finished: atEnd });
    const dataset = await api.createFromFolder('Covers', folder, { encoder: 'none' });
    await api.waitFor(dataset, 'READY');

    const { body } = await api.get<ExploreResult>(`/explore/${dataset}?threshold=1`);
    expect(body.clusters.map(({ previews }) => previews.length)).toEqual([4, 1]);
    expect(body.cover_sheets).toHaveLength(1);
    const [uri = ''] = body.cover_sheets;
    for (const [query, px] of [
      ['', 256],
      ['&n=4&px=128', 128],
      ['&n=1&px=384', 384],
    ] as const) {
      const answer = await fetch(`${uri}${query}`);
      expect(answer.status).toBe(200);
      expect(answer.headers.get('content-type')).toBe('image/webp');
      expect(answer.headers.get('cache-control')).toContain('immutable');
      expect(await sharp(Buffer.from(await answer.arrayBuffer())).metadata()).toMatchObject({
        width: COVER_SHEET.columns * px,
        height: px,
      });
      const again = await fetch(`${uri}${query}`, { headers: { 'If-None-Match': answer.headers.get('etag') ?? '' } });
      expect(again.status).toBe(304);
    }
    for (const refused of ['&n=10', '&px=100', '&px=4000']) {
      expect((await fetch(`${uri}${refused}`)).status, refused).toBe(422);
    }
    expect((await fetch(uri.replace(/signature=.{4}/, 'signature=AAAA'))).status).toBe(403);
    const [ids = ''] = /[\w.-]+(?=\?)/.exec(uri) ?? [];
    expect((await fetch(uri.replace(ids, ids.slice(22)))).status).toBe(403);
    expect((await fetch(uri.replace(ids, ids.slice(1)))).status).toBe(422);

    // Lists of items have sheets too: a cover an item.
    const [cluster] = body.clusters;
    for (const [list, total] of [
      ['items?sort_by=name', 5],
      ['arrivals', 5],
      [`cluster/${cluster?.cluster_id}`, 4],
      ['items?sort_by=name&page_number=7', 0],
    ] as const) {
      const listed = await api.get<ItemPage>(`/explore/${dataset}/${list}`);
      expect(listed.body.items, list).toHaveLength(total);
      expect(listed.body.cover_sheets, list).toHaveLength(Math.ceil(total / COVER_SHEET.covers));
      for (const sheet of listed.body.cover_sheets) {
        const answer = await fetch(`${sheet}&px=128`);
        expect(await sharp(Buffer.from(await answer.arrayBuffer())).metadata(), list).toMatchObject({ height: 128 });
      }
    }
  });
});

import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { json } from '../support/api.ts';
import { type App, startApp } from '../support/app.ts';
import { atEnd } from '../support/at-end.ts';
import { browserMissing } from '../support/browser.ts';
import { writeImages } from '../support/images.ts';
import { needs } from '../support/needs.ts';
import { repository } from '../support/server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const WIDGET = join(repository, 'clients', 'python', 'src', 'vitrine', 'widget.js');
/** The page of a notebook: it renders the widget with a model, as anywidget does. */
const NOTEBOOK = `<!doctype html><title>notebook</title><div id="cell"></div><script type="module">
import widget from '/widget.js';
const state = Object.fromEntries(new URLSearchParams(location.search));
const model = { get: (name) => state[name], set: (name, value) => { state[name] = value; }, save_changes: () => { window.saved = { ...state }; } };
widget.render({ model, el: document.getElementById('cell') });
</script>`;

describe('the view of a notebook', needs(browserMissing()), () => {
  let app: App;
  let origin: string;
  let address: string;

  beforeAll(async () => {
    app = await startApp({ bypassCSP: false });
    const folder = await temporaryFolder(atEnd);
    await writeImages(folder, [1, 2, 3]);
    const datasetId = await app.api.createFromFolder('Photos', folder);
    await app.api.waitFor(datasetId, 'READY');
    address = `${app.baseUrl}/#/dataset/${datasetId}?flat=name`;
    const widget = await readFile(WIDGET);
    const server = createServer(({ url }, response) => {
      const isWidget = url === '/widget.js';
      response.setHeader('content-type', isWidget ? 'text/javascript' : 'text/html').end(isWidget ? widget : NOTEBOOK);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    atEnd(() => server.close());
    origin = `http://localhost:${(server.address() as AddressInfo).port}`;
  });

  async function openNotebook(): Promise<Page> {
    const { page } = await app.openPage();
    await page.goto(`${origin}/?${new URLSearchParams({ url: address, height: '600' })}`);
    return page;
  }

  const allow = async (value: string) =>
    expect(await app.api.call('POST', '/settings', json({ key: 'EMBED_ORIGINS', value }))).toMatchObject({
      status: 200,
    });

  it('is refused unless its origin is allowed', async () => {
    const answer = await fetch(app.baseUrl);
    expect(answer.headers.get('x-frame-options')).toBe('DENY');
    expect(answer.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    await allow('http://elsewhere.example');
    const page = await openNotebook();
    const refused = page.waitForEvent('console', (message) => message.text().includes('frame-ancestors'));
    await page.reload();
    await refused;
    expect(await page.frameLocator('iframe').getByTestId('item-tile').count()).toBe(0);
    await page.close();
  });

  it('shows the query and gives back the selection', async () => {
    await allow(`http://elsewhere.example ${origin}`);
    const answer = await fetch(app.baseUrl);
    expect(answer.headers.get('x-frame-options')).toBeNull();
    expect(answer.headers.get('content-security-policy')).toContain(
      `frame-ancestors http://elsewhere.example ${origin}`,
    );
    expect((await fetch(`${app.baseUrl}/api/v1/healthcheck`)).headers.get('x-frame-options')).toBe('DENY');

    const page = await openNotebook();
    const tiles = page.frameLocator('iframe').getByTestId('item-tile');
    await tiles.first().hover();
    await tiles.first().getByTestId('tile-check').click();
    const saved = await page.waitForFunction(() => (window as { saved?: unknown }).saved);
    const { items } = (
      await app.api.get<{ items: { media_id: string }[] }>(
        `/explore/${/dataset\/([^?]+)/.exec(address)?.[1]}/items?sort_by=name`,
      )
    ).body;
    expect(await saved.jsonValue()).toMatchObject({
      count: 1,
      selection: [{ type: 'media', payload: { media_ids: [items[0]?.media_id] } }],
    });
    await page.close();
  });

  it('cannot add to the policy of the page by the setting', async () => {
    const value = `${origin}; script-src *`;
    const { status } = await app.api.call('POST', '/settings', json({ key: 'EMBED_ORIGINS', value }));
    expect(status).toBe(422);
  });
});

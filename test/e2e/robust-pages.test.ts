import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { ExploreResult } from '../../src-main/contract/schemas/explore.ts';
import type { ItemPage } from '../../src-main/contract/schemas/facets.ts';
import type { Task } from '../../src-main/contract/schemas/task.ts';
import { violations } from '../support/accessibility.ts';
import type { Api } from '../support/api.ts';
import { type ServedApp, serveApp } from '../support/app.ts';
import { atEnd } from '../support/at-end.ts';
import { browserMissing } from '../support/browser.ts';
import { encoderMissing, makeWithFfmpeg } from '../support/ffmpeg.ts';
import { writeImages } from '../support/images.ts';
import { needs } from '../support/needs.ts';
import { startServer } from '../support/server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const N_IMAGES = 8;

describe('pages when something goes wrong', needs(browserMissing()), () => {
  let app: ServedApp;
  let api: Api;
  let page: Page;
  let folder: string;
  let whole: string;
  /** Another dataset, which the last test deletes. */
  let other: string;

  beforeAll(async () => {
    folder = await temporaryFolder(atEnd);
    await writeImages(join(folder, 'inner'), [...Array(N_IMAGES).keys()]);
    app = await serveApp();
    ({ api } = app);
    whole = await create('Whole');
    other = await create('Other');
    for (const id of [whole, other]) await api.post(`/dataset/${id}/lay_out_map`);
    await api.atRest();
  });

  beforeEach(async () => {
    ({ page } = await app.openPage());
    onTestFinished(() => page.close());
  });

  const open = (address: string) => page.goto(`${app.baseUrl}/#${address}`);
  const goTo = (address: string, on = page) => on.evaluate((to) => window.location.assign(`#${to}`), address);
  const create = async (name: string) => {
    const datasetId = await api.createFromFolder(name, folder);
    await api.waitFor(datasetId, 'READY');
    return datasetId;
  };

  /** Every screen of a dataset, with an element that shows that it is loaded. */
  const screensOf = async (datasetId: string): Promise<[string, string][]> => {
    const { body } = await api.get<ExploreResult>(`/explore/${datasetId}?threshold=4`);
    const [cluster] = body.clusters;
    const ids = body.clusters.flatMap(({ previews }) => previews.map(({ media_id }) => media_id));
    return [
      ['', 'clusters-grid'],
      ['?flat=name', 'items-grid'],
      ['?map=cluster', 'map'],
      [`?anchor=${ids[0]}`, 'similar-grid'],
      ['?text=image&in=words', 'found-grid'],
      ['/duplicates', 'no-duplicates'],
      [`/cluster/${cluster?.cluster_id}?threshold=4`, 'items-grid'],
      [`/item/${ids[0]}`, 'item-page'],
      [`/compare/${ids.slice(0, 2).join(',')}`, 'compare'],
      ['/data', 'data-page'],
      ['/errors', 'no-file-errors'],
      ['/enrich', 'enrich-page'],
    ];
  };

  it('report on every screen that the server does not respond, retry, and recover when it is back', async () => {
    const screens = await screensOf(whole);
    await open(`/dataset/${other}`);
    await page.getByTestId('clusters-grid').waitFor();
    const map = await app.context.newPage();
    onTestFinished(() => map.close());
    await map.goto(`${app.baseUrl}/#/settings`);
    const { port } = new URL(app.baseUrl);
    await untilPagesAreLoaded(page);
    await app.server.stop('SIGKILL');
    await page.getByTestId('connection-banner').waitFor();
    expect(await violations(page)).toEqual([]);
    // Opened while the server does not respond: the screen can only show why.
    for (const [address] of screens) {
      await goTo(`/dataset/${whole}${address}`);
      await page.getByTestId('connection-banner').waitFor();
      await page.getByTestId('query-error').first().waitFor();
      await expect.poll(() => page.getByTestId('skeleton').count(), { message: address }).toBe(0);
    }
    await goTo(`/dataset/${other}?threshold=0`);
    await goTo(`/dataset/${whole}?map=cluster`, map);

    app.server = await startServer(app.dataFolder, {}, Number(port));
    await page.getByTestId('connection-banner').waitFor({ state: 'detached' });
    const covers = page.locator('[data-testid="cluster-tile"] [data-testid="cover"]');
    await expect.poll(() => covers.count()).toBeGreaterThan(0);
    await expect
      .poll(() => covers.evaluateAll((all) => all.every((cover) => cover.dataset.state === 'shown')))
      .toBe(true);
    await map.getByTestId('map').waitFor();
    for (const [address, shown] of screens) {
      await goTo(`/dataset/${whole}${address}`);
      await page.getByTestId(shown).first().waitFor();
    }
  });

  /** Waits for the code of all screens, which loads after the first screen; that of the map is the last. */
  const untilPagesAreLoaded = (on: Page) =>
    expect
      .poll(() =>
        on.evaluate(() => performance.getEntriesByType('resource').some(({ name }) => /MapLayout.*js/.test(name))),
      )
      .toBe(true);

  /** Screens that have no accessibility violations. */
  const accessible = new Set<string>();

  it.each([
    ['/item/11111111-1111-4111-8111-111111111111', 'query-error'],
    ['/cluster/11111111-1111-4111-8111-111111111111', 'query-error'],
    ['/compare/11111111-1111-4111-8111-111111111111', 'query-error'],
    ['?anchor=11111111-1111-4111-8111-111111111111', 'search-refused'],
    ['?anchor=11111111-1111-4111-8111-111111111111&uploaded=true', 'search-refused'],
    ['?anchor=nonsense', 'search-refused'],
    ['?vql=%5B%7B%22tags%22%3A%7B%22op%22%3A%22is%22%2C%22value%22%3A%22nonsense%22%7D%7D%5D', 'search-refused'],
    [
      '?vql=%5B%7B%22tags%22%3A%7B%22op%22%3A%22is%22%2C%22value%22%3A%22nonsense%22%7D%7D%5D&map=label',
      'search-refused',
    ],
    ['/item/nonsense', 'not-found'],
    ['/nonsense', 'not-found'],
    ['?threshold=99&type=NONSENSE&flat=nonsense&map=nonsense&vql=nonsense', 'clusters-grid'],
    ['/duplicates?page=99&level=7', 'no-duplicates'],
  ])('explain an address whose part of a dataset does not exist, %s', async (address, shown) => {
    await open(`/dataset/${whole}${address}`);
    await page.getByTestId(shown).first().waitFor();
    await expect.poll(() => page.getByTestId('skeleton').count()).toBe(0);
    if (!accessible.has(shown)) expect(await violations(page)).toEqual([]);
    accessible.add(shown);
    if (shown === 'query-error') {
      await page.getByRole('button', { name: 'Go to the dataset' }).click();
      await page.getByTestId('clusters-grid').waitFor();
    }
  });

  it('show the index of an item in its list, whatever index its address contains', async () => {
    const { body } = await api.get<ItemPage>(`/explore/${whole}/items?sort_by=name`);
    await open(`/dataset/${whole}/item/${body.items[2]?.media_id}?flat=name&at=5000`);
    await page.getByText(`3 of ${N_IMAGES}`).waitFor();
  });

  it('report that a later page of a list could not be loaded, and load it on request', async () => {
    const { body } = await api.get<ItemPage>(`/explore/${whole}/items?sort_by=name`);
    let isBroken = true;
    await page.route('**/api/v1/explore/*/items?**', async (route) => {
      const at = Number(new URL(route.request().url()).searchParams.get('page_number'));
      if (at > 0 && isBroken) await route.fulfill({ status: 500, json: { detail: 'Broken', code: 'internal' } });
      else await route.fulfill({ json: { ...body, total: 300, page_number: at } });
    });
    await open(`/dataset/${whole}?flat=name`);
    await page.getByTestId('items-grid').waitFor();
    await page.getByTestId('item-tile').first().press('End');
    const failed = page.getByTestId('part-failed');
    await failed.waitFor();
    expect(await violations(page)).toEqual([]);
    isBroken = false;
    await failed.getByRole('button').click();
    await failed.waitFor({ state: 'detached' });
  });

  it('stop loading images that have left the page', async () => {
    const requested: string[] = [];
    const stopped = new Set<string>();
    // One image has the covers of all items of the list.
    await page.route('**/cover/**', (route) => {
      requested.push(route.request().url());
    });
    page.on('requestfailed', (request) => stopped.add(request.url()));
    // Images that are never answered keep the page from being loaded, if they are requested before that.
    await page.goto(`${app.baseUrl}/#/dataset/${whole}?flat=name`, { waitUntil: 'commit' });
    await expect.poll(() => requested.length).toBeGreaterThan(0);
    await goTo('/tasks');
    await expect.poll(() => requested.filter((url) => !stopped.has(url))).toEqual([]);
  });

  it.each([
    '/dataset/nonsense',
    '/dataset/00000000-0000-4000-8000-000000000000/item/nonsense',
    '/dataset/00000000-0000-4000-8000-000000000000',
  ])('say of %s that it is not there', async (address) => {
    await open(address);
    await page.getByTestId('not-found').waitFor();
  });

  it('open the typed folder on Enter, and create nothing', async () => {
    const before = (await api.get<unknown[]>('/datasets')).body.length;
    await open('/');
    await page.getByTestId('new-dataset').first().click();
    await page.getByTestId('folder-path').fill(folder);
    await page.getByTestId('folder-path').press('Enter');
    await page.getByTestId('folder-entry').filter({ hasText: 'inner' }).waitFor();
    expect((await api.get<unknown[]>('/datasets')).body).toHaveLength(before);
    await page.getByTestId('create-dataset').waitFor();

    // A path that does not exist can be left again.
    await page.getByTestId('folder-path').fill(join(folder, 'no such folder'));
    await page.getByTestId('folder-path').press('Enter');
    await page.getByTestId('folder-home').click();
    await page.getByTestId('folder-home').waitFor({ state: 'detached' });
  });

  it('do not overwrite a pasted path with the home folder', async () => {
    const requested = Promise.withResolvers<void>();
    const lookedUp = Promise.withResolvers<void>();
    await page.route('**/api/v1/local_folders**', async (route) => {
      requested.resolve();
      await lookedUp.promise;
      await route.continue();
    });
    await open('/');
    await page.getByTestId('new-dataset').first().click();
    await page.getByTestId('folder-path').focus();
    await requested.promise;
    lookedUp.resolve();
    await page.getByTestId('folder-browser').locator('ul').waitFor();
    await page.keyboard.insertText(folder);
    await expect.poll(() => page.getByTestId('folder-path').inputValue()).toBe(folder);
    await page.getByTestId('folder-path').fill('');
    await page.getByTestId('folder-path').blur();
    await expect.poll(() => page.getByTestId('folder-path').inputValue()).not.toBe('');
    await page.unroute('**/api/v1/local_folders**');
  });

  it('keep the typed text of a watched folder on Esc', async () => {
    await open(`/dataset/${whole}/data`);
    await page.getByTestId('watch-path').fill(folder);
    await page.getByTestId('watch-path').press('Enter');
    const inner = page.getByTestId('folder-entry').filter({ hasText: 'inner' });
    await inner.waitFor();
    await inner.focus();
    await page.keyboard.press('Escape');
    await inner.waitFor({ state: 'detached' });
    await expect.poll(() => page.getByTestId('watch-path').inputValue()).toBe(folder);
    await expect.poll(() => page.url()).toContain('/data');
  });

  it('show the progress of the open dataset only', async () => {
    const { body } = await api.get<{ tasks: Task[] }>(`/tasks?dataset_id=${other}`);
    const running = { ...body.tasks[0], status: 'RUNNING', end_time: null, progress_percentage: 40 };
    await page.route('**/api/v1/tasks?**', (route) =>
      route.fulfill({ json: { tasks: [running], total: 1, page: 1, page_size: 50 } }),
    );
    const line = page.getByTestId('progress-line');
    await open(`/dataset/${other}`);
    await line.waitFor();
    await open(`/dataset/${whole}`);
    await page.getByRole('heading', { name: 'Whole' }).waitFor();
    await line.waitFor({ state: 'detached' });
    await open('/');
    await line.waitFor();
    await page.unrouteAll({ behavior: 'wait' });
  });

  it('close a just opened panel at once, also with reduced motion', async () => {
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await open('/tasks');
    for (let nth = 0; nth < 10; nth += 1) {
      await page.getByTestId('task-filter').first().click();
      await page.keyboard.press('Escape');
      await expect.poll(() => page.getByRole('menu').count()).toBe(0);
    }
  });

  it('name the dataset while the code of a page is still loading', async () => {
    const arrival = Promise.withResolvers<void>();
    await page.route(/ViewsPage/, async (route) => {
      await arrival.promise;
      await route.continue();
    });
    await open(`/dataset/${whole}`);
    await page.getByTestId('clusters-grid').waitFor();
    await goTo(`/dataset/${whole}/views`);
    await page.getByTestId('clusters-grid').waitFor({ state: 'hidden' });
    await page.getByRole('heading', { name: 'Whole' }).waitFor();
    await page.getByTestId('skeleton').waitFor();
    arrival.resolve();
    await page.getByTestId('no-views').waitFor();
  });

  it('name what a button copies, in one tooltip at a time', async () => {
    await open('/tasks');
    const buttons = page.getByRole('button', { name: /^Copy/ });
    await expect.poll(() => buttons.count()).toBeGreaterThan(1);
    expect(new Set(await buttons.evaluateAll((all) => all.map((one) => one.getAttribute('aria-label'))))).toEqual(
      new Set(['Copy task ID']),
    );
    for (const nth of [0, 1, 0]) {
      await buttons.nth(nth).hover();
      await expect.poll(() => page.getByRole('tooltip').count()).toBe(1);
    }
  });

  it('name the codec of a video that the browser cannot play', needs(encoderMissing('mpeg4')), async () => {
    const videos = await temporaryFolder();
    const clip = join(videos, 'clip.avi');
    makeWithFfmpeg(['-f', 'lavfi', '-i', 'testsrc=size=160x120:rate=5', '-t', '2', '-c:v', 'mpeg4', clip]);
    const datasetId = await api.createFromFolder('Unplayable', videos);
    await api.waitFor(datasetId, 'READY');
    const { body } = await api.get<ExploreResult>(`/explore/${datasetId}`);
    await open(`/dataset/${datasetId}/item/${body.clusters[0]?.previews[0]?.media_id}`);
    await page.getByTestId('play-video').click();
    const note = page.getByTestId('video-note');
    await note.waitFor();
    await expect.poll(() => note.textContent()).toContain('cannot play MPEG4 video');
  });

  it('report on every screen that the dataset was deleted elsewhere', async () => {
    const screens = (await screensOf(other)).filter(([, shown]) =>
      ['clusters-grid', 'map', 'no-duplicates', 'item-page', 'data-page'].includes(shown),
    );
    const tabs = await Promise.all(screens.map(() => app.context.newPage()));
    onTestFinished(async () => {
      await Promise.all(tabs.map((one) => one.close()));
    });
    for (const [nth, [address, shown]] of screens.entries()) {
      await tabs[nth]?.goto(`${app.baseUrl}/#/dataset/${other}${address}`);
      await tabs[nth]?.getByTestId(shown).first().waitFor();
    }
    await api.call('DELETE', `/dataset/${other}`);
    await Promise.all(tabs.map((one) => one.getByTestId('dataset-deleted').waitFor()));
  });
});

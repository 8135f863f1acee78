import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Task } from '../../src-main/contract/schemas/task.ts';
import { violations } from '../support/accessibility.ts';
import { type Api, until } from '../support/api.ts';
import { type ServedApp, serveApp } from '../support/app.ts';
import { atEnd } from '../support/at-end.ts';
import { browserMissing } from '../support/browser.ts';
import { writeImages } from '../support/images.ts';
import { needs } from '../support/needs.ts';
import { holdChildren } from '../support/server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

describe('tasks in the browser', needs(browserMissing()), () => {
  let app: ServedApp;
  let api: Api;
  let folder: string;
  let page: Page;
  let complaints: string[];
  let meadow: string;

  beforeAll(async () => {
    folder = await temporaryFolder(atEnd);
    await writeImages(join(folder, 'meadow'), [0, 1, 2]);
    app = await serveApp({ viewport: { width: 1440, height: 900 } });
    ({ api } = app);
    meadow = await api.createFromFolder('Meadow', join(folder, 'meadow'), { encoder: 'none' });
    await api.waitFor(meadow, 'READY');
    const nothing = await temporaryFolder(atEnd);
    await writeFile(join(nothing, 'empty.jpg'), '');
    const empty = await api.createFromFolder('Empty', nothing, { encoder: 'none' });
    await until(
      async () => (await api.get(`/dataset/${empty}`)).body.status_new,
      (status) => status === 'ERROR',
    );
    await api.atRest();
  });
  beforeEach(async () => {
    ({ page, complaints } = await app.openPage());
  });
  afterEach(() => page.close());

  const open = (address: string) => page.goto(`${app.baseUrl}/#${address}`);
  const rows = () => page.getByTestId('task-row');
  const datasets = () => rows().locator('a').allTextContents();
  const filter = async (column: string, value: string) => {
    await page.getByRole('button', { name: `Filter by: ${column}` }).click();
    await page.getByRole('menuitemradio', { name: value, exact: true }).click();
  };

  it('are filtered by column headers, name and period, which the address keeps', async () => {
    await open('/tasks');
    await expect.poll(() => rows().count()).toBeGreaterThan(1);
    expect(await violations(page)).toEqual([]);
    await filter('Status', 'Failed');
    await expect.poll(datasets).toEqual(['Empty']);
    await filter('Status', 'All');
    await filter('Task', 'Index dataset');
    await expect.poll(async () => (await datasets()).sort()).toEqual(['Empty', 'Meadow']);
    await page.getByRole('button', { name: 'Dataset', exact: true }).click();
    await expect.poll(datasets).toEqual(['Meadow', 'Empty']);
    await page.reload();
    await expect.poll(datasets).toEqual(['Meadow', 'Empty']);
    await page.getByRole('textbox', { name: 'Find by dataset' }).fill('mead');
    await expect.poll(datasets).toEqual(['Meadow']);
    await page.getByTestId('tasks-window').getByText('24 h').click();
    await expect.poll(() => page.url()).toContain('within=24h');
    await page.getByRole('textbox', { name: 'Find by dataset' }).fill('nothing');
    await page.getByText('No matching tasks').waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Show all' }).click();
    await expect.poll(() => rows().count()).toBeGreaterThan(1);
    expect(complaints).toEqual([]);
  });

  it('show details of a task, with the full error and the IDs', async () => {
    await open('/tasks?status=FAILED');
    await rows().first().getByTestId('task-details-toggle').click();
    const details = page.getByTestId('task-details');
    await details.getByText('Error', { exact: true }).waitFor();
    const { body } = await api.get<{ tasks: Task[] }>('/tasks?task_status=FAILED');
    await expect.poll(() => details.textContent()).toContain(body.tasks[0]?.error_message);
    await expect.poll(() => details.textContent()).toContain(body.tasks[0]?.task_id);
    await details.getByRole('button', { name: 'Copy dataset ID' }).waitFor();
    expect(await violations(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });

  it('update while they run, and are shown as stopped after the user stops them', async () => {
    await writeImages(
      join(folder, 'many'),
      Array.from({ length: 200 }, (_, seed) => seed),
    );
    const id = await api.createFromFolder('Stopped', join(folder, 'many'), { encoder: 'none' });
    await until(
      async () => (await api.get<{ tasks: Task[] }>(`/tasks?dataset_id=${id}`)).body.tasks[0],
      (task) => task?.step === 'Reading media',
    );
    await open('/tasks');
    const row = rows().filter({ hasText: 'Stopped' }).first();
    await page.getByTestId('pause-tasks').click();
    await page.getByTestId('tasks-paused').waitFor();
    expect(await violations(page)).toEqual([]);
    expect((await api.get(`/dataset/${id}`)).body.status_new).not.toBe('READY');
    await page.getByRole('button', { name: 'Resume' }).click();
    await page.getByTestId('tasks-paused').waitFor({ state: 'detached' });
    holdChildren(app.server, 'SIGSTOP');
    const duration = row.getByTestId('task-duration');
    const first = await duration.textContent();
    await expect.poll(() => duration.textContent()).not.toBe(first);
    await row.getByTestId('task-abort').click();
    await row.getByText('Stopped', { exact: true }).last().waitFor();
    await expect.poll(() => row.getAttribute('data-status')).toBe('ABORTED');
    holdChildren(app.server, 'SIGCONT');
    await open('/');
    const card = page.getByTestId('dataset-card').filter({ hasText: 'Stopped' });
    await expect.poll(() => card.getByTestId('dataset-status').getAttribute('data-tone')).toBe('quiet');
    await open(`/dataset/${id}`);
    await page.getByTestId('dataset-aborted').waitFor();
    expect(complaints).toEqual([]);
  });

  it('are listed as the activity of a dataset, which is renamed, described and copied from its card', async () => {
    await open('/');
    const card = page.locator(`[data-testid=dataset-card][data-dataset-id="${meadow}"]`);
    await card.getByTestId('dataset-menu').click();
    await page.getByRole('menuitem', { name: 'Rename…' }).click();
    await page.getByTestId('rename-name').fill('Pasture');
    await page.getByTestId('rename-description').fill('Three images of grass');
    expect(await violations(page)).toEqual([]);
    await page.getByTestId('rename-submit').click();
    await page.getByTestId('rename-dialog').waitFor({ state: 'detached' });
    await card.getByText('Pasture').waitFor();
    await card.getByTestId('dataset-menu').click();
    await page.getByRole('menuitem', { name: 'About this dataset' }).click();
    const info = page.getByTestId('info-dialog');
    await info.getByText('Three images of grass').waitFor();
    await info.getByText(join(folder, 'meadow')).waitFor();
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await info.waitFor({ state: 'detached' });
    await card.getByTestId('dataset-menu').click();
    await page.getByRole('menuitem', { name: 'Duplicate…' }).click();
    expect(await violations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Duplicate', exact: true }).click();
    await page.getByTestId('dataset-card').filter({ hasText: 'Pasture (cloned)' }).getByText('Ready').waitFor();
    await open(`/dataset/${meadow}/data`);
    await page.getByTestId('activity').getByText('Index dataset').waitFor();
    await page.locator('[data-testid=activity-row][data-status=COMPLETED]').first().waitFor();
    expect(await violations(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });
});

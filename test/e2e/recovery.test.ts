import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { violations } from '../support/accessibility.ts';
import { Api } from '../support/api.ts';
import { atEnd } from '../support/at-end.ts';
import { browserMissing, complaintsOf, sharedBrowser } from '../support/browser.ts';
import { writeImages } from '../support/images.ts';
import { needs } from '../support/needs.ts';
import { startServer } from '../support/server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

describe('findings in the data folder', needs(browserMissing()), () => {
  it('appear on every screen until they are read, and a check says whether the data is intact', async () => {
    const images = await temporaryFolder();
    await writeImages(images, [0, 1, 2]);
    const data = await temporaryFolder();
    const first = await startServer(data);
    onTestFinished(() => {
      first.process.kill('SIGKILL');
    });
    const id = await new Api(first.baseUrl).createFromFolder('Kept', images);
    await new Api(first.baseUrl).waitFor(id, 'READY');
    await first.stop();
    for (const name of ['catalog.db', 'catalog.db-wal', 'catalog.db-shm', 'catalog-copy.db'])
      await rm(join(data, name), { force: true });

    const server = await startServer(data);
    atEnd(() => server.stop());
    const browser = await sharedBrowser();
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, bypassCSP: true });
    const complaints = complaintsOf(page);
    await page.goto(server.baseUrl);
    await page.getByTestId('recovery-banner').getByRole('link').click();
    const events = page.getByTestId('recovery-events');
    await events.getByText('Kept').waitFor();
    await events.getByText('catalog.db', { exact: true }).waitFor();
    expect(await violations(page)).toEqual([]);

    await page.getByTestId('check-data').click();
    await expect.poll(() => page.getByTestId('check-result').textContent()).toContain('is intact');

    await page.getByTestId('backup-folder').fill(join(data, 'inside'));
    await page.getByTestId('back-up').click();
    await page.getByRole('alert').getByText('cannot be in the data folder').waitFor();
    await page.getByTestId('backup-folder').fill(join(await temporaryFolder(), 'backups'));
    await page.getByTestId('back-up').click();
    await page.getByTestId('backup-row').click();
    await page.getByRole('button', { name: 'Restore Kept' }).click();
    await page.getByText('Open dataset').waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByText('Open dataset').click();
    await page.getByText('Kept (recovered)').first().waitFor();
    await page.goBack();

    await page.getByTestId('recovery-read').click();
    await page.getByTestId('recovery-read').waitFor({ state: 'detached' });
    await page.goto(server.baseUrl);
    await page.getByTestId('datasets').waitFor();
    await expect.poll(() => page.getByTestId('recovery-banner').count()).toBe(0);
    // Chromium reports the refused folder.
    expect(complaints.filter((line) => !line.includes('400 (Bad Request)'))).toEqual([]);
  });
});

import { beforeAll, describe, expect, it } from 'vitest';
import { type App, startApp } from '../support/app.ts';
import { browserMissing } from '../support/browser.ts';
import { needs } from '../support/needs.ts';

/** Limit of the first load: page, code, styles and fonts, as sent. */
const MAX_FIRST_LOAD_BYTES = 350_000;

describe('the first load of the page', needs(browserMissing()), () => {
  let app: App;

  beforeAll(async () => {
    app = await startApp();
  });

  it('is compressed, and small enough for a slow connection', async () => {
    const { page, complaints } = await app.openPage();
    // The other screens are loaded when the browser is idle, which it never is here.
    await page.addInitScript(() => {
      window.requestIdleCallback = () => 0;
    });
    await page.goto(app.baseUrl);
    await page.getByTestId('first-run').waitFor();
    const sizes = await page.evaluate(() =>
      [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
        .map((entry) => entry as PerformanceResourceTiming)
        .filter(({ name }) => !name.includes('/api/'))
        .map(({ name, encodedBodySize, decodedBodySize }) => ({ name, encodedBodySize, decodedBodySize })),
    );
    const code = sizes.filter(({ name, decodedBodySize }) => /\.(js|css)$/.test(name) && decodedBodySize > 1024);
    expect(code.length).toBeGreaterThan(1);
    for (const { name, encodedBodySize, decodedBodySize } of code)
      expect(encodedBodySize, name).toBeLessThan(decodedBodySize);
    expect(sizes.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)).toBeLessThan(MAX_FIRST_LOAD_BYTES);
    expect(complaints).toEqual([]);
  });

  it('serves the same bytes with any encoding, and varies by it', async () => {
    const html = await fetch(app.baseUrl);
    expect(html.headers.get('cache-control')).toBe('no-cache');
    const [, script = ''] = /<script[^>]+src="([^"]+)"/.exec(await html.text()) ?? [];
    const read = (encoding: string) =>
      fetch(new URL(script, app.baseUrl), { headers: { 'Accept-Encoding': encoding } });
    const [plain, brotli] = [await read('identity'), await read('br')];
    expect(plain.headers.get('content-encoding')).toBeNull();
    expect(brotli.headers.get('content-encoding')).toBe('br');
    for (const answer of [plain, brotli]) {
      expect(answer.headers.get('vary')?.toLowerCase()).toContain('accept-encoding');
      expect(answer.headers.get('cache-control')).toContain('immutable');
      expect(answer.headers.get('content-type')).toContain('javascript');
    }
    expect(await brotli.text()).toBe(await plain.text());
  });

  it('opens a drawn sample with one click, and shows three hints once', async () => {
    const { page, complaints } = await app.openPage();
    await page.goto(app.baseUrl);
    await page.getByTestId('try-sample').click();
    // The sample is indexed first.
    await page.getByTestId('clusters-grid').waitFor({ timeout: 120_000 });
    for (let hint = 0; hint < 3; hint += 1) await page.getByTestId('next-hint').click();
    await expect.poll(() => page.getByTestId('hint').count()).toBe(0);
    await page.reload();
    await page.getByTestId('clusters-grid').waitFor();
    expect(await page.getByTestId('hint').count()).toBe(0);
    expect(complaints).toEqual([]);
  });
});

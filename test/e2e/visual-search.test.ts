import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { violations } from '../support/accessibility.ts';
import { type App, startApp } from '../support/app.ts';
import { atEnd } from '../support/at-end.ts';
import { browserMissing } from '../support/browser.ts';
import { image, writeImages } from '../support/images.ts';
import { needs } from '../support/needs.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const SEEDS = [0, 1, 2, 3, 4, 5];
const nameOf = (seed: number) => `image-${String(seed).padStart(5, '0')}.jpg`;

describe('searching with an image in the browser', needs(browserMissing()), () => {
  let app: App;
  let folder: string;
  let id: string;
  let page: Page;
  let complaints: string[];

  beforeAll(async () => {
    folder = await temporaryFolder(atEnd);
    await writeImages(folder, SEEDS);
    const boxes = SEEDS.map((seed) => `${nameOf(seed)},40,60,120,90,spot`);
    await writeFile(
      join(folder, 'object_annotations.csv'),
      `filename,col_x,row_y,width,height,label\n${boxes.join('\n')}\n`,
    );
    app = await startApp();
    const { api } = app;
    id = await api.createFromFolder('Blobs', folder, { encoder: 'none' });
    await api.waitFor(id, 'READY');
  });
  beforeEach(async () => {
    ({ page, complaints } = await app.openPage());
    await page.goto(`${app.baseUrl}/#/dataset/${id}`);
    await page.getByTestId('clusters-grid').waitFor();
  });
  afterEach(() => page.close());

  const chip = () => page.getByTestId('query-image-chip');
  const isFirst = (seed: number) =>
    page.getByTestId('similar-tile').first().getByText(nameOf(seed)).waitFor({ state: 'attached' });

  /** Data transfer of files that are pasted or dropped. */
  const filesOf = (bytes: Buffer, type = 'image/jpeg') =>
    page.evaluateHandle(
      ([base64, mime]) => {
        const transfer = new DataTransfer();
        const content = Uint8Array.from(atob(base64 ?? ''), (letter) => letter.charCodeAt(0));
        transfer.items.add(new File([content], 'given.jpg', { type: mime ?? '' }));
        return transfer;
      },
      [bytes.toString('base64'), type],
    );

  it('takes a chosen image, and shows similar items', async () => {
    await page.getByTestId('query-image-file').setInputFiles(join(folder, nameOf(2)));
    await chip().getByText(nameOf(2)).waitFor();
    await isFirst(2);
    expect(await violations(page)).toEqual([]);

    // A part of the image, drawn as on an item.
    await page.getByTestId('crop-query-image').click();
    const area = await page.getByTestId('crop-dialog').getByTestId('part-picker').boundingBox();
    if (area === null) throw new Error('the image is not shown');
    expect(await violations(page)).toEqual([]);
    await page.mouse.move(area.x + 10, area.y + 10);
    await page.mouse.down();
    await page.mouse.move(area.x + area.width / 2, area.y + area.height / 2, { steps: 3 });
    await page.mouse.up();
    await chip()
      .getByText(`Part of ${nameOf(2)}`)
      .waitFor();
    await page.getByTestId('view-switch').getByText('Objects').click();
    await page.waitForFunction(() => location.hash.includes('type=OBJECTS'));
    await chip().waitFor();
    await page.keyboard.press('Escape');
    await page.getByTestId('clusters-grid').waitFor();
    expect(complaints).toEqual([]);
  });

  it('takes a pasted image', async () => {
    const pasted = await filesOf(await image(4, 200, 150));
    await page.evaluate((clipboardData) => {
      window.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
    }, pasted);
    await chip().waitFor();
    await isFirst(4);
    expect(complaints).toEqual([]);
  });

  it('takes an image that is dropped on the right half, while the left half adds media', async () => {
    const dropped = await filesOf(await readFile(join(folder, nameOf(1))));
    const drag = (type: string, clientX: number) =>
      page.evaluate(
        ([transfer, name, x]) => {
          const event = new DragEvent(name, {
            dataTransfer: transfer,
            clientX: x,
            clientY: 300,
            bubbles: true,
            cancelable: true,
          });
          document.body.dispatchEvent(event);
        },
        [dropped, type, clientX] as const,
      );
    await drag('dragenter', 900);
    await drag('dragover', 900);
    await page.getByTestId('drop-target').getByText('search with this image').waitFor();
    await drag('drop', 900);
    await chip().waitFor();
    await isFirst(1);
    await drag('dragenter', 200);
    await drag('dragover', 200);
    await drag('drop', 200);
    await page.getByRole('dialog').waitFor();
    expect(complaints).toEqual([]);
  });

  it('takes a drawn part of an image', async () => {
    await page.getByTestId('cluster-tile').first().click();
    await page.getByTestId('item-page').waitFor();
    await page.getByTestId('crop').click();
    const area = await page.getByTestId('part-picker').boundingBox();
    if (area === null) throw new Error('there is nothing to draw on');
    await page.mouse.move(area.x + area.width * 0.125, area.y + area.height * 0.25);
    await page.mouse.down();
    await page.mouse.move(area.x + area.width * 0.5, area.y + area.height * 0.625, { steps: 5 });
    await page.mouse.up();
    await chip().getByText('Part of').waitFor();
    await page.getByTestId('similar-grid').waitFor();
    expect(complaints).toEqual([]);
  });

  it('reports files that are no images, and query images that no longer exist', async () => {
    const text = join(await temporaryFolder(atEnd), 'notes.png');
    await writeFile(text, 'no image');
    await page.getByTestId('query-image-file').setInputFiles(text);
    await page.getByTestId('visual-search-failed').getByText('not an image').waitFor();
    await page.getByTestId('visual-search-failed').getByRole('button').click();
    await page.getByTestId('visual-search-failed').waitFor({ state: 'hidden' });
    await page.goto(`${app.baseUrl}/#/dataset/${id}?anchor=00000000-0000-4000-8000-000000000000&uploaded=true`);
    await page.getByTestId('search-refused').getByText('upload it again').waitFor();
    expect(await violations(page)).toEqual([]);
  });
});

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { makeQueryDataset } from '../../support/query-dataset.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

it('puts a changed annotation file in place of the former one at once', async () => {
  const folder = await temporaryFolder();
  const { reader, writer, items } = await makeQueryDataset(folder, 5, 4);
  onTestFinished(() => {
    reader.close();
    writer.close();
  });
  const names = items.map((item) => (item.folder === '' ? item.file : `${item.folder}/${item.file}`));
  const own = new Map(items.map(({ media_id }) => [media_id, said(media_id)]));
  function said(mediaId: string) {
    const { label_details = [], caption_details = [] } = reader.findItem(mediaId) ?? {};
    const imported = <T extends { source: string }>(all: T[]) => all.filter(({ source }) => source === 'Import');
    return {
      labels: imported(label_details).map(({ label }) => label),
      captions: imported(caption_details).map(({ caption }) => caption),
      others:
        label_details.length +
        caption_details.length -
        imported(label_details).length -
        imported(caption_details).length,
    };
  }
  const path = 'image_annotations.csv';
  const file = { file_path: path, location: path, kind: 'annotation' as const, size_bytes: 1 };
  /** What is said of all items after every page of the file that a batch brings. */
  async function read(batchId: string, rows: string[]) {
    await writeFile(join(folder, path), `filename,label,caption\n${rows.join('\n')}\n`);
    writer.addBatch({ batch_id: batchId, source_id: 's', kind: 'folder' });
    writer.addFiles(batchId, [{ ...file, mtime_ms: Number(batchId) }]);
    expect(await writer.beginAnnotations(batchId)).toBe(1);
    const states = [];
    for (let finished = false; !finished; ) {
      ({ finished } = await writer.readAnnotations(batchId));
      states.push(items.map(({ media_id }) => said(media_id)));
    }
    return states;
  }

  await read(
    '1',
    names.map((name) => `${name},lynx,A lynx`),
  );
  const all = (labels: string[], captions: string[]) =>
    items.map(({ media_id }) => ({ labels, captions, others: own.get(media_id)?.others }));
  expect(items.map(({ media_id }) => said(media_id))).toEqual(all(['lynx'], ['A lynx']));

  const states = await read(
    '2',
    names.map((name) => `${name},wolf,A wolf`),
  );
  expect(states.length).toBeGreaterThan(1);
  expect(states.pop()).toEqual(all(['wolf'], ['A wolf']));
  for (const state of states) expect(state).toEqual(all(['lynx'], ['A lynx']));

  // A run that was cut off leaves nothing behind.
  await writeFile(join(folder, path), `filename,label\n${names[0]},fox\n`);
  writer.addBatch({ batch_id: '3', source_id: 's', kind: 'folder' });
  writer.addFiles('3', [{ ...file, mtime_ms: 3 }]);
  await writer.beginAnnotations('3');
  await writer.readAnnotations('3');
  await writeFile(join(folder, path), `filename,label\n${names[1]},fox\n`);
  await writer.beginAnnotations('3');
  while (!(await writer.readAnnotations('3')).finished);
  expect(items.map(({ media_id }) => said(media_id).labels)).toEqual([[], ['fox'], [], []]);
});

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { GenerationWriter } from '../../../src-main/infra/dataset-store/thread/generation-writer.ts';
import { makeQueryDataset, publish, QUERY_DIM } from '../../support/query-dataset.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

it('replaces a changed annotation file in one step', async () => {
  const folder = await temporaryFolder();
  const { reader, writer, items } = await makeQueryDataset(folder, 5, 4);
  onTestFinished(() => {
    reader.close();
    writer.close();
  });
  const names = items.map((item) => (item.folder === '' ? item.file : `${item.folder}/${item.file}`));
  const own = new Map(items.map(({ media_id }) => [media_id, annotationsOf(media_id)]));
  function annotationsOf(mediaId: string) {
    const { label_details = [], caption_details = [] } = reader.subjects.items.find(mediaId) ?? {};
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
  /** Returns the annotations of all items after each page of the file that a batch imports. */
  async function read(batchId: string, rows: string[]) {
    await writeFile(join(folder, path), `filename,label,caption\n${rows.join('\n')}\n`);
    writer.subjects.intake.addBatch({ batch_id: batchId, source_id: 's', kind: 'folder' });
    writer.subjects.intake.addFiles(batchId, [{ ...file, mtime_ms: Number(batchId) }]);
    expect(await writer.subjects.annotations.begin(batchId)).toBe(1);
    const states = [];
    for (let finished = false; !finished; ) {
      ({ finished } = await writer.subjects.annotations.readNext(batchId));
      states.push(items.map(({ media_id }) => annotationsOf(media_id)));
    }
    return states;
  }

  await read(
    '1',
    names.map((name) => `${name},lynx,A lynx`),
  );
  const all = (labels: string[], captions: string[]) =>
    items.map(({ media_id }) => ({ labels, captions, others: own.get(media_id)?.others }));
  expect(items.map(({ media_id }) => annotationsOf(media_id))).toEqual(all(['lynx'], ['A lynx']));

  const states = await read(
    '2',
    names.map((name) => `${name},wolf,A wolf`),
  );
  expect(states.length).toBeGreaterThan(1);
  expect(states.pop()).toEqual(all(['wolf'], ['A wolf']));
  for (const state of states) expect(state).toEqual(all(['lynx'], ['A lynx']));

  // An interrupted run leaves nothing behind.
  await writeFile(join(folder, path), `filename,label\n${names[0]},fox\n`);
  writer.subjects.intake.addBatch({ batch_id: '3', source_id: 's', kind: 'folder' });
  writer.subjects.intake.addFiles('3', [{ ...file, mtime_ms: 3 }]);
  await writer.subjects.annotations.begin('3');
  await writer.subjects.annotations.readNext('3');
  await writeFile(join(folder, path), `filename,label\n${names[1]},fox\n`);
  await writer.subjects.annotations.begin('3');
  while (!(await writer.subjects.annotations.readNext('3')).finished);
  expect(items.map(({ media_id }) => annotationsOf(media_id).labels)).toEqual([[], ['fox'], [], []]);
});

it('shows objects of the old file until the new ones are published', async () => {
  const folder = await temporaryFolder();
  const { reader, writer, items } = await makeQueryDataset(folder, 5, 4);
  onTestFinished(() => {
    reader.close();
    writer.close();
  });
  const path = 'object_annotations.csv';
  const name = items[0]?.folder === '' ? items[0].file : `${items[0]?.folder}/${items[0]?.file}`;
  async function read(batchId: string, labels: string[]) {
    const rows = labels.map((label, at) => `${name},${at},1,9,9,${label}`);
    await writeFile(join(folder, path), `filename,col_x,row_y,width,height,label\n${rows.join('\n')}\n`);
    writer.subjects.intake.addBatch({ batch_id: batchId, source_id: 's', kind: 'folder' });
    const file = { file_path: path, location: path, kind: 'annotation' as const, size_bytes: 1 };
    writer.subjects.intake.addFiles(batchId, [{ ...file, mtime_ms: Number(batchId) }]);
    await writer.subjects.annotations.begin(batchId);
    while (!(await writer.subjects.annotations.readNext(batchId)).finished);
    await describeBoxes(writer, batchId);
  }
  const imported = () =>
    (reader.subjects.items.find(items[0]?.media_id ?? '')?.objects ?? [])
      .filter(({ source }) => source === 'Import')
      .map(({ label }) => label);

  await read('1', ['bee', 'wasp']);
  await publish(writer);
  expect(imported()).toEqual(['bee', 'wasp']);

  await read('2', ['bee', 'ant']);
  expect(imported()).toEqual(['bee', 'wasp']);
  await writer.subjects.intake.discardBatch('2', false);
  expect(imported()).toEqual(['bee', 'wasp']);

  await read('3', ['bee', 'ant']);
  await publish(writer);
  expect(imported()).toEqual(['bee', 'ant']);

  await read('4', ['bee']);
  expect(imported()).toEqual(['bee', 'ant']);
  await writer.subjects.vectors.publishIndex([]);
  expect(imported()).toEqual(['bee']);
});

async function describeBoxes(writer: GenerationWriter, batchId: string): Promise<void> {
  const keys = writer.subjects.annotations
    .listBoxes(batchId, null, 100)
    .images.flatMap(({ crops }) => crops.map(({ key }) => key));
  const looks = new Float32Array(QUERY_DIM).fill(1 / Math.sqrt(QUERY_DIM));
  await writer.subjects.annotations.saveBoxes(
    keys.map((key) => ({ key, ok: true, thumbnail: new Uint8Array(4), vectors: { looks } })),
  );
}

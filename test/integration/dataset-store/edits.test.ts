import { statSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import type { NewEdit } from '../../../src-main/core/ports/edits.ts';
import type { GenerationReader } from '../../../src-main/infra/dataset-store/thread/generation-reader.ts';
import type { GenerationWriter } from '../../../src-main/infra/dataset-store/thread/generation-writer.ts';
import { RowSet } from '../../../src-main/infra/vectors/row-set.ts';
import { atEnd } from '../../support/at-end.ts';
import { EVEN_GREY } from '../../support/even-grey.ts';
import { type KnownItem, makeQueryDataset, QUERY_DIM } from '../../support/query-dataset.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const MILLION = 1_000_000;

let folder: string;
let writer: GenerationWriter;
let reader: GenerationReader;
let items: KnownItem[];

beforeAll(async () => {
  folder = await temporaryFolder(atEnd);
  ({ writer, reader, items } = await makeQueryDataset(folder, 7));
  atEnd(() => {
    reader.close();
    writer.close();
  });
});

function tagging(tag: string, rows: Uint32Array, holds = true): NewEdit {
  return {
    kind: 'TAGS',
    details: { added: [], removed: [] },
    created_by: 'somebody',
    changes: [{ kind: 'tag', tag_id: tag, holds, rows: { IMAGES: rows } }],
  };
}

it('edits a million rows in few pages, and undoes that', () => {
  const { tag_id } = writer.subjects.edits.addTag('many');
  const log = () => statSync(join(folder, 'data.db-wal')).size;
  const before = log();
  const everyThird = RowSet.where(MILLION, (row) => row % 3 === 0);
  expect(writer.subjects.edits.apply(tagging(tag_id, everyThird.words))?.n_changed).toBe(everyThird.count);
  const all = RowSet.where(MILLION, () => true);
  expect(writer.subjects.edits.apply(tagging(tag_id, all.words))?.n_changed).toBe(MILLION - everyThird.count);
  expect(log() - before).toBeLessThan(2_000_000);
  writer.subjects.edits.undo(undefined);
  expect(writer.subjects.edits.apply(tagging(tag_id, all.words, false))?.n_changed).toBe(everyThird.count);
});

it('keeps the last fifty edits', () => {
  const { tag_id } = writer.subjects.edits.addTag('often');
  for (let row = 0; row < 60; row += 1) writer.subjects.edits.apply(tagging(tag_id, RowSet.of(100, [row]).words));
  expect(reader.subjects.edits.list()).toHaveLength(50);
});

it('keeps the edits of an item when its file has new content', async () => {
  const item = items.find(({ excluded, custom }) => !excluded && custom.size > 1);
  if (!item) throw new Error('there are items');
  const { row, media_id, file } = item;
  const { tag_id } = writer.subjects.edits.addTag('stays');
  const edit = writer.subjects.edits.apply(tagging(tag_id, RowSet.of(100, [row]).words));
  const tags = () => reader.subjects.items.find(media_id)?.tags.map(({ name }) => name) ?? [];
  expect(tags()).toContain('stays');
  const values = () => reader.subjects.metadata.listValues([media_id]).get(media_id);
  const valuesBefore = values();
  expect(valuesBefore).toHaveLength(item.custom.size);

  const path = item.folder === '' ? file : `${item.folder}/${file}`;
  writer.subjects.intake.addBatch({ batch_id: 'changes', source_id: 's', kind: 'watch' });
  const seen = { file_path: path, kind: 'image' as const, size_bytes: 2, mtime_ms: 2 };
  writer.subjects.changes.add('changes', 's', { added_or_changed: [seen], removed: [] });
  const [changed] = writer.subjects.changes.listImages('changes', null, 10);
  await writer.subjects.changes.saveResults('changes', [
    {
      key: changed?.file_id ?? 0,
      ok: true,
      width: 10,
      height: 10,
      format: 'jpeg',
      pages: 1,
      content_hash: 'new content',
      size_bytes: 2,
      mtime_ms: 2,
      thumbnail: new Uint8Array(4),
      quality: EVEN_GREY,
      exif: null,
      vectors: { looks: new Float32Array(QUERY_DIM).fill(1 / Math.sqrt(QUERY_DIM)) },
    },
  ]);
  expect(reader.subjects.items.find(media_id)?.row).not.toBe(row);
  expect(tags()).toContain('stays');
  expect(values()).toEqual(valuesBefore);
  writer.subjects.edits.undo(edit?.edit_id);
  expect(tags()).not.toContain('stays');
});

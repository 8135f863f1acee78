import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import fc from 'fast-check';
import { expect, it, onTestFinished } from 'vitest';
import { parseWords } from '../../../src-main/core/enrichment/parse-words.ts';
import { everything, TEXT_COLUMNS } from '../../../src-main/core/ports/query.ts';
import { GenerationWriter } from '../../../src-main/infra/dataset-store/thread/generation-writer.ts';
import { makeQueryDataset } from '../../support/query-dataset.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

async function openDataset() {
  const folder = await temporaryFolder();
  const { reader, writer, items } = await makeQueryDataset(folder, 3);
  onTestFinished(() => {
    reader.close();
    writer.close();
  });
  const first = items.find(({ excluded }) => !excluded);
  if (!first) throw new Error('there are items');
  /** Returns the media ids of all items that match a text, best first. */
  const find = async (text: string, entityType: 'IMAGES' | 'OBJECTS' = 'IMAGES') => {
    const words = { name: 'words' as const, query: parseWords(text), columns: TEXT_COLUMNS };
    const plan = { ...everything(entityType), conditions: [words], scores: [{ ...words, max_distance: null }] };
    const { clusters } = await reader.subjects.explore.listClusters({ plan, level: 0, page_number: 0 });
    return clusters.flatMap(({ previews }) => previews.map(({ media_id }) => media_id));
  };
  const say = (labels: string[], caption = '') =>
    writer.subjects.enrichment.saveImages(
      'models',
      [
        {
          row: first.row,
          media_id: first.media_id,
          outputs: [
            {
              model_id: 'a',
              output: { kind: 'labels', labels: labels.map((label) => ({ label, class_id: null, confidence: 1 })) },
            },
            { model_id: 'b', output: { kind: 'caption', caption } },
          ],
        },
      ],
      items.length,
      null,
    );
  return { folder, reader, writer, items, first, find, say };
}

it('finds forms of a word, ids and beginnings', async () => {
  const { first, find, say } = await openDataset();
  await say(['Okapis'], 'Éléphants were wandering past');
  for (const text of ['okapi', 'OKAPIS', 'elephant wander', '"wandered past"', 'oka*', first.media_id, '-cat okapi']) {
    expect(await find(text)).toEqual([first.media_id]);
  }
  for (const text of ['oka', '"past wandering"', 'okapi giraffe', '-okapi elephant', randomUUID()]) {
    expect(await find(text)).toEqual([]);
  }
});

it('finds objects by their label and by the image that they are on', async () => {
  const { items, find } = await openDataset();
  const withOwl = items.filter(({ objects }) => objects.some(({ labels, excluded }) => labels.has('owl') && !excluded));
  const found = await find('owl wild', 'OBJECTS');
  expect(new Set(found)).toEqual(
    new Set(withOwl.filter(({ folder }) => folder.endsWith('wild')).map(({ media_id }) => media_id)),
  );
});

it('ranks texts with more of the words first, at a small distance', async () => {
  const { reader, first, items, say } = await openDataset();
  await say(['thing'], 'thing thing');
  const words = { name: 'words' as const, query: parseWords('thing'), columns: TEXT_COLUMNS };
  const plan = { ...everything('IMAGES'), conditions: [], scores: [{ ...words, max_distance: null }] };
  const { clusters, total_items } = await reader.subjects.explore.listClusters({ plan, level: 0, page_number: 0 });
  const previews = clusters.flatMap((cluster) => cluster.previews);
  expect(total_items).toBe(items.filter((item) => !item.excluded && (item === first || item.caption !== null)).length);
  expect(previews[0]).toMatchObject({ media_id: first.media_id, distance: 0 });
  const distances = previews.map(({ distance }) => distance ?? 1);
  expect(Math.max(...distances)).toBeLessThanOrEqual(0.4);
  const near = { ...plan, scores: [{ ...words, max_distance: 0.1 }] };
  const fewer = await reader.subjects.explore.listClusters({ plan: near, level: 0, page_number: 0 });
  expect(fewer.total_items).toBe(distances.filter((distance) => distance <= 0.1).length);
});

it('reflects added and removed texts at once', async () => {
  const { first, find, say } = await openDataset();
  await say(['okapi']);
  expect(await find('okapi')).toEqual([first.media_id]);
  await say(['giraffe']);
  expect(await find('okapi')).toEqual([]);
  expect(await find('giraffe')).toEqual([first.media_id]);
});

it('uses corrected labels', async () => {
  const { writer, first, find, say } = await openDataset();
  await say(['okapi'], 'wandering');
  const label = (name: string, holds: boolean) => {
    const rows = { IMAGES: Uint32Array.of(1 << first.row) };
    const change = { kind: 'label' as const, label: name, holds, rows };
    writer.subjects.edits.apply({
      kind: 'LABELS',
      details: { added: [], removed: [] },
      created_by: 'me',
      changes: [change],
    });
  };
  label('old lighthouses', true);
  for (const text of ['lighthouse', '"old lighthouse"', 'wandering lighthouse']) {
    expect(await find(text)).toEqual([first.media_id]);
  }
  expect(await find('-lighthouse okapi')).toEqual([]);
  label('okapi', false);
  expect(await find('okapi')).toEqual([]);
});

it('uses the current name of a file', async () => {
  const { folder, writer, first, find } = await openDataset();
  const place = { file_path: 'meadow/renamed.jpg', size_bytes: 1, mtime_ms: 5 };
  writer.subjects.intake.addBatch({ batch_id: 'moved', source_id: 's', kind: 'watch' });
  await writeFile(join(folder, 'renamed.jpg'), 'x');
  const before = first.folder === '' ? first.file : `${first.folder}/${first.file}`;
  writer.subjects.changes.add('moved', 's', { added_or_changed: [place], removed: [before] });
  const [change] = writer.subjects.changes.listImages('moved', null, 10);
  const contentHash = before;
  writer.subjects.changes.takeKnownContent('moved', [
    { change_id: change?.file_id ?? 0, content_hash: contentHash, size_bytes: 1, mtime_ms: 5 },
  ]);
  writer.subjects.changes.finish('moved');
  expect(await find('meadow')).toEqual([first.media_id]);
  expect(await find('renamed.jpg')).toEqual([first.media_id]);
  expect(await find(`"${first.file}"`)).toEqual([]);
});

it('indexes missed texts when the dataset is opened', async () => {
  const { folder, writer, reader } = await openDataset();
  reader.close();
  writer.close();
  const db = new Database(join(folder, 'data.db'));
  const documents = () =>
    db.prepare('SELECT count(*) FROM item_text WHERE item_text MATCH ?').pluck().get('caption : thing');
  expect(documents()).not.toBe(0);
  db.exec(`DELETE FROM caption`);
  expect(documents()).not.toBe(0);
  new GenerationWriter({ dataset_id: 'd', dataFolder: folder, folder, parquetEntryFile: '' }).close();
  expect(documents()).toBe(0);
  expect(db.prepare('SELECT count(*) FROM item_text_due').pluck().get()).toBe(0);
  db.close();
});

it('answers or refuses any text', async () => {
  const { find } = await openDataset();
  const piece = fc.oneof(
    fc.string({ unit: fc.nat(0x10ffff).map((code) => String.fromCodePoint(code)) }),
    fc.constantFrom(
      '(',
      ')',
      '"',
      '-',
      '+',
      ' AND ',
      ' OR ',
      ' NOT ',
      ' NEAR(',
      '*',
      '^',
      '{label}:',
      'label:',
      '\0',
      '\ud800',
      "'",
      'dog',
    ),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 12 }), async (pieces) => {
      await find(pieces.join('')).catch((error: unknown) => expect(error).toMatchObject({ code: 'invalid_input' }));
    }),
    { numRuns: 300 },
  );
  const { deep } = fc.letrec<{ deep: string; several: string }>((tie) => ({
    deep: fc.oneof({ maxDepth: 14, depthSize: 'max' }, fc.constantFrom('cat', 'owl'), tie('several')),
    several: fc
      .tuple(fc.constantFrom('', '-'), tie('deep'), fc.constantFrom(' ', ' -', ' OR ', ' OR -'), tie('deep'))
      .map(([sign, left, operator, right]) => `${sign}(${left}${operator}dog${operator}${right})`),
  }));
  await fc.assert(
    fc.asyncProperty(deep, async (text) => {
      await find(text).catch((error: unknown) => expect(error).toMatchObject({ code: 'invalid_input' }));
    }),
    { numRuns: 300 },
  );
  for (const sign of ['', '-']) {
    for (const operator of [' ', ' OR ', ' OR -', ' -']) {
      const text = `${`${sign}(cat${operator}dog${operator}`.repeat(10)}owl${')'.repeat(10)}`;
      await expect(find(text)).resolves.toBeDefined();
    }
  }
  expect((await find(`dog ${'-x '.repeat(90)}`)).length).toBeGreaterThan(0);
});

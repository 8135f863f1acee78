import { createWriteStream } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { beforeEach, describe, expect, test } from 'vitest';
import { formatMessage, message } from '../../../src-main/contract/messages.ts';
import type {
  AnnotationItem,
  AnnotationProblem,
  AnnotationRow,
} from '../../../src-main/infra/annotations/annotation-row.ts';
import { createFileIndex } from '../../../src-main/infra/annotations/file-index.ts';
import { findAnnotationFiles, isAnnotationFile } from '../../../src-main/infra/annotations/find-annotation-files.ts';
import { parseLabels } from '../../../src-main/infra/annotations/parse-labels.ts';
import { toPixelBox } from '../../../src-main/infra/annotations/pixel-box.ts';
import { readAnnotations } from '../../../src-main/infra/annotations/read-annotations.ts';
import { parseYoloNames } from '../../../src-main/infra/annotations/yolo-names.ts';
import { createParquetThreads } from '../../../src-main/infra/parquet/parquet-thread.ts';
import { watchHeld } from '../../support/held-memory.ts';
import { findMedia } from '../../support/media.ts';
import { needs } from '../../support/needs.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const signal = new AbortController().signal;
let folder = '';

beforeEach(async () => {
  folder = await temporaryFolder();
});

const openParquet = createParquetThreads(
  resolve(import.meta.dirname, '../../../src-main/infra/parquet/parquet.worker.ts'),
);
const locate = (path: string) => join(folder, path);

/** Writes the files, finds the annotations and the given media among them, and reads all annotations. */
async function readAll(files: Record<string, string | Uint8Array>, media: string[] = []): Promise<AnnotationItem[]> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(locate(path)), { recursive: true });
    await writeFile(locate(path), content);
  }
  const items: AnnotationItem[] = [];
  for (const source of findAnnotationFiles([...Object.keys(files), ...media])) {
    for await (const batch of readAnnotations(source, locate, openParquet, signal)) items.push(...batch);
  }
  // The formats that were recognised are the subject of formats.test.ts.
  return items.filter(({ kind }) => kind !== 'format');
}

const UNKNOWN = message('text_format_unsupported');

const problems = (items: AnnotationItem[]) =>
  items.filter((item): item is AnnotationProblem => item.kind === 'problem');
const rows = (items: AnnotationItem[]) => items.filter((item): item is AnnotationRow => item.kind !== 'problem');
const reasons = (items: AnnotationItem[]) =>
  problems(items).map(({ line, reason }) => `${line}: ${formatMessage(reason)}`);

function captionOf(row: AnnotationRow): string | undefined {
  return row.kind === 'caption' ? row.caption : undefined;
}

describe('finding', () => {
  test('recognises annotation files by name', () => {
    const yes = [
      'image_annotations.csv',
      'a/Object_Annotations.PARQUET',
      'x/annotations.json',
      'labels/train/1.txt',
      'my_annotations.json',
      'deep/instances_val2017.json',
      '_annotations.coco.json',
      'data.yaml',
      'labels/classes.txt',
      'photos/a.txt',
      'export.json',
      'annotations.csv',
      'VOC/Annotations/1.xml',
      'train/metadata.jsonl',
      'any-name.yaml',
    ];
    expect(yes.filter((path) => !isAnnotationFile(path))).toEqual([]);
    const no = [
      'notes.txt',
      'README.txt',
      'labels/readme.md.txt',
      'requirements-dev.txt',
      'a.jpg',
      'package.json',
      'image_annotations.csv.bak',
    ];
    expect(no.filter(isAnnotationFile)).toEqual([]);
  });

  test('pairs YOLO labels with images', () => {
    const paths = [
      'data.yaml',
      'images/train/a.jpg',
      'labels/train/a.txt',
      'val/images/b.PNG',
      'val/labels/b.txt',
      'val/labels/classes.txt',
      'c/d.jpg',
      'c/labels/d.txt',
      'c/labels/lost.txt',
    ];
    expect(findAnnotationFiles(paths)).toEqual([
      {
        kind: 'yolo',
        path: 'c/labels',
        names_paths: ['data.yaml'],
        labels: [
          { path: 'c/labels/d.txt', media_path: 'c/d.jpg' },
          { path: 'c/labels/lost.txt', media_path: null },
        ],
      },
      {
        kind: 'yolo',
        path: 'labels',
        names_paths: ['data.yaml'],
        labels: [{ path: 'labels/train/a.txt', media_path: 'images/train/a.jpg' }],
      },
      {
        kind: 'yolo',
        path: 'val/labels',
        names_paths: ['val/labels/classes.txt', 'data.yaml'],
        labels: [{ path: 'val/labels/b.txt', media_path: 'val/images/b.PNG' }],
      },
    ]);
    expect(findAnnotationFiles(['labels/readme.txt', 'a.jpg'])).toEqual([]);
  });

  test('pairs YOLO labels with images in a sibling folder of any name', () => {
    const labelsOf = (paths: string[]) =>
      findAnnotationFiles(paths).flatMap((source) => (source.kind === 'yolo' ? source.labels : []));
    expect(labelsOf(['set/photos/day/a.jpg', 'set/labels/day/a.txt', 'other/labels.jpg'])).toEqual([
      { path: 'set/labels/day/a.txt', media_path: 'set/photos/day/a.jpg' },
    ]);
    // With images in two folders, the labels could belong to either image.
    expect(labelsOf(['left/a.jpg', 'right/a.jpg', 'labels/a.txt'])).toEqual([
      { path: 'labels/a.txt', media_path: null },
    ]);
  });

  test('pairs YOLO labels with images of the same folder', () => {
    expect(findAnnotationFiles(['obj.names', 'obj_train_data/a.jpg', 'obj_train_data/a.txt', 'train.txt'])).toEqual([
      { kind: 'yolo', path: '', names_paths: ['obj.names'], labels: [{ path: 'train.txt', media_path: null }] },
      {
        kind: 'yolo',
        path: 'obj_train_data',
        names_paths: ['obj.names'],
        labels: [{ path: 'obj_train_data/a.txt', media_path: 'obj_train_data/a.jpg' }],
      },
    ]);
  });
});

describe('image_annotations', () => {
  test('labels, lists of labels and captions', async () => {
    const csv = [
      '\ufefffilename,Label,caption',
      'a.jpg,cat,"A cat, asleep"',
      'b.jpg,"[""dog"", ""big dog""]",',
      `c.jpg,"[""it's"", 'x, y', 'x, y']",`,
      'd.jpg,"[red, green ]",',
      'e.jpg,,only words',
      'f.jpg,,',
      ',cat,',
      'g.jpg,a;b,c,d',
      'h.jpg',
    ].join('\r\n');
    const items = await readAll({ 'sub/image_annotations.csv': csv });
    const labels = rows(items).map((row) => [row.file_key, row.line, 'label' in row ? row.label : captionOf(row)]);
    expect(labels).toEqual([
      ['a.jpg', 2, 'cat'],
      ['a.jpg', 2, 'A cat, asleep'],
      ['b.jpg', 3, 'dog'],
      ['b.jpg', 3, 'big dog'],
      ['c.jpg', 4, "it's"],
      ['c.jpg', 4, 'x, y'],
      ['d.jpg', 5, 'red'],
      ['d.jpg', 5, 'green'],
      ['e.jpg', 6, 'only words'],
    ]);
    expect(items.every((item) => item.source === 'sub/image_annotations.csv')).toBe(true);
    expect(reasons(items)).toEqual([
      '7: the row has neither label nor caption',
      '8: the row has no filename',
      '9: the row has 4 values where the header has 3',
      '10: the row has neither label nor caption',
    ]);
  });

  test('parquet with a list column', async () => {
    const data = new Uint8Array(
      parquetWriteBuffer({
        columnData: [
          { name: 'filename', data: ['a.jpg', 'b.jpg', 'c.jpg'] },
          { name: 'label', data: [['cat', 'dog'], [], ['bird']] },
          { name: 'caption', data: [null, 'words', null] },
        ],
        schema: [
          { name: 'root', num_children: 3 },
          { name: 'filename', type: 'BYTE_ARRAY', converted_type: 'UTF8', repetition_type: 'OPTIONAL' },
          { name: 'label', repetition_type: 'OPTIONAL', num_children: 1, converted_type: 'LIST' },
          { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
          { name: 'element', type: 'BYTE_ARRAY', converted_type: 'UTF8', repetition_type: 'OPTIONAL' },
          { name: 'caption', type: 'BYTE_ARRAY', converted_type: 'UTF8', repetition_type: 'OPTIONAL' },
        ],
      }),
    );
    const items = await readAll({ 'image_annotations.parquet': data });
    expect(rows(items).map((row) => [row.line, row.kind, 'label' in row ? row.label : captionOf(row)])).toEqual([
      [1, 'image_label', 'cat'],
      [1, 'image_label', 'dog'],
      [2, 'caption', 'words'],
      [3, 'image_label', 'bird'],
    ]);
    expect(problems(items)).toEqual([]);
  });

  test('unusable files are reported with the reason', async () => {
    expect(reasons(await readAll({ 'image_annotations.csv': 'file,label\na,b\n' }))).toEqual([
      'null: The file lacks the column filename. Found: file, label',
    ]);
    expect(reasons(await readAll({ 'image_annotations.csv': '' }))).toEqual(['null: The file is empty']);
    expect(reasons(await readAll({ 'image_annotations.csv': 'filename,notes\na.jpg,x\n' }))).toEqual([
      'null: The file lacks the column label or caption. Found: filename, notes',
    ]);
    const broken = await readAll({ 'image_annotations.csv': 'filename,label\na.jpg,x\nb.jpg,"x"y\nc.jpg,z\n' });
    expect(rows(broken).map((row) => row.file_key)).toEqual(['a.jpg']);
    expect(reasons(broken)).toEqual([
      'null: The CSV is broken at line 3: text follows a closing quote; the rest of the file was not read',
    ]);
    expect(reasons(await readAll({ 'a/image_annotations.parquet': 'PAR1' }))[0]).toContain(
      'not a readable Parquet file',
    );
  });

  test('cells', () => {
    expect(parseLabels('a, b; c')).toEqual(['a, b; c']);
    expect(parseLabels('[]')).toEqual([]);
    expect(parseLabels(' ["a\\"b", 3] ')).toEqual(['a"b', '3']);
    expect(parseLabels(7n)).toEqual(['7']);
    expect(parseLabels(null)).toEqual([]);
  });
});

describe('object_annotations', () => {
  const header = 'filename,col_x,row_y,width,height,label';

  test('several boxes per image; invalid ones are reported', async () => {
    const csv = `${header}\na.jpg,1,2,30,40.5,cat\na.jpg,-3,0,10,10,dog\na.jpg,1,2,0,5,x\na.jpg,1,2,5,-5,x\na.jpg,one,2,3,4,x\na.jpg,1,,3,4,x\na.jpg,1,2,3,4,\n`;
    const items = await readAll({ 'object_annotations.csv': csv });
    expect(rows(items)).toEqual([
      {
        kind: 'object',
        source: 'object_annotations.csv',
        line: 2,
        file_key: 'a.jpg',
        label: 'cat',
        class_id: null,
        box: { x: 1, y: 2, width: 30, height: 40.5 },
        unit: 'px',
      },
      expect.objectContaining({ line: 3, box: { x: -3, y: 0, width: 10, height: 10 } }),
    ]);
    expect(reasons(items)).toEqual([
      '4: the box has no area: 0 × 5',
      '5: the box has no area: 5 × -5',
      '6: col_x is not a number: "one"',
      '7: row_y is not a number: ""',
      '8: the row has no label',
    ]);
  });

  test('parquet, columns in any order', async () => {
    const data = parquetWriteBuffer({
      columnData: [
        { name: 'label', data: ['cat', 'dog'], type: 'STRING' },
        { name: 'height', data: [4n, 8n], type: 'INT64' },
        { name: 'width', data: [3, 7.5], type: 'DOUBLE' },
        { name: 'row_y', data: [2, 6], type: 'INT32' },
        { name: 'extra', data: [0, 0], type: 'INT32' },
        { name: 'col_x', data: [1, 5], type: 'INT32' },
        { name: 'filename', data: ['a.jpg', 'b.jpg'], type: 'STRING' },
      ],
    });
    const items = await readAll({ 'object_annotations.parquet': new Uint8Array(data) });
    expect(rows(items).map((row) => row.kind === 'object' && [row.file_key, row.label, row.box])).toEqual([
      ['a.jpg', 'cat', { x: 1, y: 2, width: 3, height: 4 }],
      ['b.jpg', 'dog', { x: 5, y: 6, width: 7.5, height: 8 }],
    ]);
  });

  test('missing columns are named', async () => {
    expect(reasons(await readAll({ 'object_annotations.csv': 'filename,x,y,width,height,label\n' }))).toEqual([
      'null: The file lacks the column col_x, row_y. Found: filename, x, y, width, height, label',
    ]);
  });
});

describe('COCO', () => {
  const coco = (annotations: unknown[]) =>
    JSON.stringify({
      info: { description: 'quotes " and brackets ]}{[ \\' },
      annotations,
      images: [{ id: 7, file_name: 'images/ä "7".jpg', width: 100, height: 50 }, { file_name: 'no id' }, 5],
      categories: [
        { id: 90, name: 'toothbrush' },
        { id: 1, name: 'person', supercategory: 'x' },
      ],
    });

  test('lists in any order, ids kept, everything unusable reported', async () => {
    const items = await readAll({
      'annotations.json': coco([
        { id: 1, image_id: 7, category_id: 90, bbox: [1.5, 2, 3, 4], segmentation: [[1, 2, 3, 4]] },
        { id: 2, image_id: 7, category_id: 1, bbox: [0, 0, 0, 4] },
        { id: 3, image_id: 8, category_id: 1, bbox: [0, 0, 1, 1] },
        { id: 4, image_id: 7, category_id: 2, bbox: [0, 0, 1, 1] },
        { id: 5, image_id: 7, category_id: 1, bbox: [0, 0, 1] },
        { id: 6, image_id: 7, category_id: 1 },
        { id: 7, image_id: 7, caption: ' A brush. ' },
        null,
        { id: 8, image_id: 7, category_id: 1, segmentation: [[1]] },
      ]),
    });
    const origin = { source: 'annotations.json', file_key: 'images/ä "7".jpg' };
    expect(rows(items)).toEqual([
      {
        ...origin,
        kind: 'object',
        line: 1,
        label: 'toothbrush',
        class_id: 90,
        box: { x: 1.5, y: 2, width: 3, height: 4 },
        unit: 'px',
      },
      { ...origin, kind: 'image_label', line: 6, label: 'person', class_id: 1 },
      { ...origin, kind: 'caption', line: 7, caption: 'A brush.' },
    ]);
    expect(reasons(items)).toEqual([
      '2: images has an image without id or file_name',
      '3: images has an image without id or file_name',
      '2: the box has no area: 0 × 4',
      '3: no image has the id 8',
      '4: no category has the id 2',
      '5: the bbox is not four numbers: [0,0,1]',
      '8: no image has the id none',
      '9: the object has neither a bbox nor a mask in run-length encoding',
    ]);
  });

  test.each([
    ['', 'ends too early'],
    ['[1, 2]', 'is a JSON list'],
    ['words', 'not valid JSON near byte 0'],
    ['{"images": [{"id": 1, "file_name": "a.jpg"}', 'ends too early'],
    ['{"images": [{"id": 1 "file_name"}]}', 'not valid JSON near byte'],
    ['{"images": [}]}', 'not valid JSON'],
    ['{"categories": []}', 'no list "images"'],
    ['{"images": []}', 'no list "annotations"'],
    ['{"images": 3, "annotations": []}', 'no list "images"'],
  ])('%j is refused', async (json, reason) => {
    const items = await readAll({ 'annotations.json': json });
    expect(reasons(items)).toHaveLength(1);
    expect(reasons(items)[0]).toContain(reason);
  });

  test('is recognised by its content under any name; other files are listed', async () => {
    const image = { id: 1, file_name: 'a.jpg' };
    const categories = [{ id: 1, name: 'cat' }];
    const annotations = [{ image_id: 1, category_id: 1, bbox: [1, 2, 3, 4] }];
    const padding = 'x'.repeat(100_000);
    const more = Array.from({ length: 20_000 }, (_, n) => ({ id: n + 2, file_name: `far/away/${n}.jpg` }));
    const items = await readAll({
      'export.json': JSON.stringify({ info: { padding }, images: [image], categories, annotations }),
      'other/part-1.json': JSON.stringify({ annotations, categories, images: [image, ...more] }),
      'settings.json': '{"images": "here", "annotate": [1, 2]}',
      'list.json': '[1, 2, 3]',
      'geometry.json': '{"version": "5.0", "shapes": [], "imagePath": "a.jpg"}',
      'boxes.json': '[{"image_id": 1, "bbox": [1, 2, 3, 4]}]',
      'cut.json': '{"images": [{"id": 1, "file_name": "a.jpg"}], "anno',
      'words.json': 'no JSON at all',
    });
    expect(rows(items).map(({ source }) => source)).toEqual(['export.json', 'other/part-1.json']);
    expect(problems(items).map(({ source, line, reason }) => [source, line, formatMessage(reason)])).toEqual([
      ['boxes.json', null, 'the file looks like annotations, but its format is not supported'],
      ['cut.json', null, 'The file is not valid JSON: it ends too early'],
      ...['list.json', 'settings.json', 'words.json'].map((source) => [source, null, formatMessage(UNKNOWN)]),
    ]);
  });

  test('a large file takes little memory', async () => {
    const nAnnotations = 600_000;
    const write = function* () {
      yield '{"annotations": [';
      for (let at = 0; at < nAnnotations; at += 1000) {
        const one = (_: unknown, more: number) =>
          `${at + more > 0 ? ',' : ''}{"image_id":${(at + more) % 1000},"category_id":1,"bbox":[1,2,3,4],"segmentation":[[${'12.25,'.repeat(20)}1]]}`;
        yield Array.from({ length: 1000 }, one).join('');
      }
      yield `], "images": ${JSON.stringify(Array.from({ length: 1000 }, (_, id) => ({ id, file_name: `${id}.jpg` })))},`;
      yield '"categories": [{"id": 1, "name": "person"}]}';
    };
    await pipeline(Readable.from(write()), createWriteStream(locate('annotations.json')));
    const held = watchHeld(50);
    let nObjects = 0;
    for await (const items of readAnnotations(
      { kind: 'json', path: 'annotations.json', is_named: true, others: [] },
      locate,
      openParquet,
      signal,
    )) {
      nObjects += items.filter((item) => item.kind === 'object').length;
      held.look();
    }
    expect(nObjects).toBe(nAnnotations);
    expect(held.highest()).toBeLessThan(20_000_000);
  });

  const media = findMedia();
  const root = 'root' in media ? join(media.root, 'photos/coco') : '';

  test('val2017: 796 boxes of 80 categories on 94 photos', needs(media), async () => {
    const read = async (path: string) => {
      const items: AnnotationItem[] = [];
      for await (const batch of readAnnotations(
        { kind: 'json', path, is_named: true, others: [] },
        (name) => join(root, name),
        openParquet,
        signal,
      ))
        items.push(...batch.filter(({ kind }) => kind !== 'format'));
      return items;
    };
    const items = await read('instances.json');
    expect(problems(items)).toEqual([]);
    const objects = rows(items).flatMap((row) => (row.kind === 'object' ? [row] : []));
    expect(objects).toHaveLength(796);
    expect(new Set(objects.map((row) => row.file_key)).size).toBe(94);
    expect(objects).toContainEqual(expect.objectContaining({ class_id: 1, label: 'person' }));
    const ids = new Map(objects.map((row) => [row.label, row.class_id]));
    expect(ids.get('bicycle')).toBe(2);
    expect(Math.max(...[...ids.values()].map(Number))).toBeGreaterThan(80);
    const captions = await read('captions.json');
    expect([...new Set(captions.map((item) => item.kind))]).toEqual(['caption']);
    expect(captions).toHaveLength(625);
  });
});

describe('YOLO', () => {
  test('boxes, outlines and confidences, several per image', async () => {
    const items = await readAll(
      {
        'data.yaml': 'train: images\nnc: 2\nnames: ["cat", \'big, dog\']\n',
        'labels/a.txt': '0 0.5 0.5 0.2 0.4\r\n1 0.1 0.1 0.2 0.2 0.93\n\n1 0.1 0.2 0.5 0.2 0.3 0.6\n',
        'labels/empty.txt': '',
      },
      ['images/a.jpg', 'images/empty.jpg'],
    );
    expect(problems(items)).toEqual([]);
    const boxes = rows(items).map(
      (row) => row.kind === 'object' && [row.line, row.file_key, row.label, row.class_id, row.unit],
    );
    expect(boxes).toEqual([
      [1, 'images/a.jpg', 'cat', 0, 'fraction'],
      [2, 'images/a.jpg', 'big, dog', 1, 'fraction'],
      [4, 'images/a.jpg', 'big, dog', 1, 'fraction'],
    ]);
    const [first, , outline] = rows(items).map((row) => (row.kind === 'object' ? row.box : null));
    expect(first?.x).toBeCloseTo(0.4);
    expect(first?.y).toBeCloseTo(0.3);
    expect(outline?.x).toBeCloseTo(0.1);
    expect(outline?.width).toBeCloseTo(0.4);
    expect(outline?.height).toBeCloseTo(0.4);
  });

  test('unusable lines and files are reported', async () => {
    const labels = '0 0.5 0.5 0 0.4\n7 0.5 0.5 0.1 0.1\nx 0.5 0.5 0.1 0.1\n0 50 50 10 10\n0 0.5 0.5\n0 0.5 a 0.1 0.1\n';
    const items = await readAll(
      { 'classes.txt': 'cat\n', 'labels/a.txt': labels, 'labels/lost.txt': '0 0.5 0.5 0.1 0.1\n' },
      ['images/a.jpg'],
    );
    expect(rows(items)).toEqual([]);
    expect(reasons(items)).toEqual([
      '1: the box has no area: 0 × 0.4',
      '2: there is no class "7"',
      '3: there is no class "x"',
      '4: a value is not a fraction of the image from 0 to 1',
      '5: 3 values on the line; a box has 5, a polygon an odd number of at least 7',
      '6: a value is not a number',
      'null: no image has the same name as this file',
    ]);
  });

  test('text files without boxes are one problem each', async () => {
    const items = await readAll(
      {
        'a.txt': 'A dog runs.\n2 cats sit.\n',
        'b.txt': '\n',
        'c.txt': '\ufeff0 .5 0.5 1e-1 0.1\n',
        'train.txt': 'a.jpg\nb.jpg\n',
        'log.txt': '12:00 begun\n',
        'lost.txt': '0 0.5 0.5 0.1 0.1\r\n1 0.5 0.5 0.1 0.1\r\n',
      },
      ['a.jpg', 'b.jpg', 'c.jpg'],
    );
    expect(problems(items).map(({ source, line, reason }) => [source, line, formatMessage(reason)])).toEqual([
      ['a.txt', null, 'the file is named like an image, but has no YOLO line'],
      ['log.txt', null, formatMessage(UNKNOWN)],
      ['lost.txt', null, 'no image has the same name as this file'],
    ]);
    const split = { kind: 'value', field_name: 'split', value: 'train' };
    expect(rows(items)).toMatchObject([
      { file_key: 'c.jpg', label: 'class_0' },
      { kind: 'field', source: 'train.txt' },
      { ...split, file_key: 'a.jpg' },
      { ...split, file_key: 'b.jpg' },
    ]);
  });

  test('a class without a name is named by its id', async () => {
    const items = await readAll({ 'labels/a.txt': '3 0.5 0.5 0.1 0.1\n' }, ['images/a.jpg']);
    expect(items).toEqual([expect.objectContaining({ label: 'class_3', class_id: 3 })]);
  });

  test.each([
    ['classes.txt', 'cat\ndog\n\n'],
    ['data.yaml', 'names: [cat, dog]'],
    ['data.yaml', 'path: x\nnames:\n  - cat # first\n  - "dog"\nnc: 2\n'],
    ['data.yaml', 'names:\n- cat\n- dog\n'],
    ['data.yaml', "names:\n  0: cat\n  1: 'dog'\n\ntest: y\n"],
    ['data.yml', 'names: {0: cat, 1: "dog"}\n'],
    ['data.yml', 'names: [\n  cat,\n  dog\n]\nnc: 2\n'],
  ])('names in %s: %j', (file, text) => {
    expect([...parseYoloNames(file, text)]).toEqual([
      [0, 'cat'],
      [1, 'dog'],
    ]);
  });
});

describe('matching', () => {
  const index = createFileIndex([
    'train/cat/1.jpg',
    'train/dog/1.jpg',
    'val/1.jpg',
    'val/only.JPG',
    'a.jpg',
    'A.jpg',
    'cafe\u0301.png',
  ]);
  const match = (key: string, source = 'x.csv') => {
    const found = index.match(key, source);
    return 'path' in found ? found.path : `! ${formatMessage(found.reason)}`;
  };

  test('by path, by name, by case, by location', () => {
    expect(match('val/1.jpg')).toBe('val/1.jpg');
    expect(match('.\\val\\1.jpg')).toBe('val/1.jpg');
    expect(match('/data/set/train/dog/1.jpg')).toBe('train/dog/1.jpg');
    expect(match('s3://bucket/images/only.jpg')).toBe('val/only.JPG');
    expect(match('only.jpg')).toBe('val/only.JPG');
    expect(match('1.jpg', 'val/annotations.json')).toBe('val/1.jpg');
    expect(match('a.jpg')).toBe('a.jpg');
    expect(match('caf\u00e9.png')).toBe('cafe\u0301.png');
  });

  test('gives the reason when there is no match', () => {
    expect(match('1.jpg')).toBe('! "1.jpg" matches several files: train/cat/1.jpg, train/dog/1.jpg, val/1.jpg');
    expect(match('elsewhere/1.jpg')).toContain('matches several files');
    expect(match('2.jpg')).toBe('! no file is called "2.jpg"');
  });
});

test('boxes in whole pixels, cut to the image', () => {
  expect(toPixelBox({ x: -5, y: 10.4, width: 20, height: 500 }, 'px', 100, 50)).toEqual({
    x: 0,
    y: 10,
    width: 15,
    height: 40,
  });
  expect(toPixelBox({ x: 0.25, y: 0, width: 0.5, height: 1 }, 'fraction', 100, 50)).toEqual({
    x: 25,
    y: 0,
    width: 50,
    height: 50,
  });
  expect(toPixelBox({ x: 200, y: 0, width: 5, height: 5 }, 'px', 100, 50)).toHaveProperty('reason');
});

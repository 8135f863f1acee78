import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { formatMessage, message } from '../../../src-main/contract/messages.ts';
import type { AnnotationItem } from '../../../src-main/infra/annotations/annotation-row.ts';
import { findAnnotationFiles } from '../../../src-main/infra/annotations/find-annotation-files.ts';
import { boxOfMask } from '../../../src-main/infra/annotations/mask-box.ts';
import { readAnnotations } from '../../../src-main/infra/annotations/read-annotations.ts';
import { createParquetThreads } from '../../../src-main/infra/parquet/parquet-thread.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const openParquet = createParquetThreads(
  resolve(import.meta.dirname, '../../../src-main/infra/parquet/parquet.worker.ts'),
);
let folder = '';

beforeEach(async () => {
  folder = await temporaryFolder();
});

/** Writes files beside the images `a.jpg` and `b.jpg`, and reads the annotations among them. */
async function read(files: Record<string, unknown>, media = ['a.jpg', 'b.jpg']): Promise<AnnotationItem[]> {
  const locate = (path: string) => join(folder, path);
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(locate(path)), { recursive: true });
    await writeFile(locate(path), typeof content === 'string' ? content : JSON.stringify(content));
  }
  const items: AnnotationItem[] = [];
  for (const source of findAnnotationFiles([...Object.keys(files), ...media])) {
    for await (const batch of readAnnotations(source, locate, openParquet, new AbortController().signal)) {
      items.push(...batch);
    }
  }
  return items;
}

const UNKNOWN = 'the annotation format is not supported; the file was skipped';

/** The items in a short form without their position in the file. */
const short = (items: AnnotationItem[]) =>
  items.flatMap((item) => {
    if (item.kind === 'format') return [];
    if (item.kind === 'problem') return `problem: ${formatMessage(item.reason)}`;
    if (item.kind === 'object') {
      const { x, y, width, height } = item.box;
      const confidence = item.confidence === undefined ? '' : ` ${item.confidence}`;
      const box = [x, y, width, height].map((value) => Number(value.toFixed(4))).join(',');
      return `${item.file_key}: ${item.label} [${box}] ${item.unit}${confidence}`;
    }
    if (item.kind === 'image_label') return `${item.file_key}: ${item.label}`;
    return item.kind === 'caption' ? `${item.file_key}: "${item.caption}"` : item.kind;
  });

describe('a box of 10, 20 with a size of 30 × 40, and a label', () => {
  test('Pascal VOC', async () => {
    const object =
      '<object><name>cat</name><bndbox><xmin>10</xmin><ymin>20</ymin><xmax>40</xmax><ymax>60</ymax></bndbox></object>';
    const items = await read({
      'Annotations/a.xml': `<annotation><filename>a.jpg</filename>${object}<object><name>dog</name></object></annotation>`,
      'sitemap.xml': '<urlset><url><loc>x</loc></url></urlset>',
      'broken.xml': '<annotation><filename>',
    });
    expect(short(items)).toEqual([
      'a.jpg: cat [10,20,30,40] px',
      'problem: an object without a name or a bndbox of four numbers',
      'problem: Pascal VOC without a filename',
      `problem: ${UNKNOWN}`,
    ]);
  });

  test('CVAT for images', async () => {
    const xml = `<?xml version="1.0"?><annotations><version>1.1</version><image id="0" name="a.jpg" width="100" height="100">
      <box label="cat" xtl="10.0" ytl="20.0" xbr="40.0" ybr="60.0" occluded="0"/>
      <polygon label="dog" points="10,20;40,30;20,60"/><tag label="indoor"/></image></annotations>`;
    expect(short(await read({ 'annotations.xml': xml }))).toEqual([
      'a.jpg: cat [10,20,30,40] px',
      'a.jpg: dog [10,20,30,40] px',
      'a.jpg: indoor',
    ]);
  });

  test('LabelMe', async () => {
    const shapes = [
      {
        label: 'cat',
        shape_type: 'rectangle',
        points: [
          [40, 60],
          [10, 20],
        ],
      },
      {
        label: 'dog',
        shape_type: 'circle',
        points: [
          [50, 50],
          [50, 60],
        ],
      },
      { label: 'nose', shape_type: 'point', points: [[1, 1]] },
    ];
    expect(short(await read({ 'a.json': { version: '5.0', imagePath: 'a.jpg', shapes } }))).toEqual([
      'a.jpg: cat [10,20,30,40] px',
      'a.jpg: dog [40,40,20,20] px',
      'problem: a point is not a box',
    ]);
  });

  test('VIA', async () => {
    const regions = [
      { shape_attributes: { name: 'rect', x: 10, y: 20, width: 30, height: 40 }, region_attributes: { kind: 'cat' } },
      {
        shape_attributes: { name: 'polygon', all_points_x: [10, 40], all_points_y: [20, 60] },
        region_attributes: { kind: { dog: true } },
      },
      { shape_attributes: { name: 'rect', x: 1, y: 2, width: 3, height: 4 }, region_attributes: {} },
    ];
    const images = { 'a.jpg1': { filename: 'a.jpg', size: 1, regions, file_attributes: {} } };
    const expected = [
      'a.jpg: cat [10,20,30,40] px',
      'a.jpg: dog [10,20,30,40] px',
      'problem: a region without a label',
    ];
    expect(short(await read({ 'project.json': { _via_settings: {}, _via_img_metadata: images } }))).toEqual(expected);
    expect(short(await read({ 'project.json': images }))).toEqual(expected);
  });

  test('Label Studio', async () => {
    const value = { x: 10, y: 20, width: 30, height: 40, rotation: 0, rectanglelabels: ['cat'] };
    const result = [
      { type: 'rectanglelabels', original_width: 100, value },
      { type: 'choices', value: { choices: ['indoor'] } },
    ];
    const image = '/data/upload/1/0a1b2c3d-a.jpg';
    const full = [{ id: 1, data: { image }, annotations: [{ result }] }];
    const items = await read({ 'export.json': full });
    expect(short(items)).toEqual([
      '/data/upload/1/0a1b2c3d-a.jpg: cat [0.1,0.2,0.3,0.4] fraction',
      '/data/upload/1/0a1b2c3d-a.jpg: indoor',
    ]);
    expect(items.find(({ kind }) => kind === 'object')).toMatchObject({ or_file_key: 'a.jpg' });
    const min = [{ image, id: 1, label: [value], annotation_id: 1 }];
    expect(short(await read({ 'export.json': min }))).toEqual(short(items).slice(0, 1));
  });

  test('FiftyOne', async () => {
    const samples = [
      {
        filepath: 'data/a.jpg',
        tags: ['train'],
        ground_truth: {
          _cls: 'Detections',
          detections: [{ _cls: 'Detection', label: 'cat', bounding_box: [0.1, 0.2, 0.3, 0.4] }],
        },
        weather: { _cls: 'Classification', label: 'sun' },
      },
    ];
    expect(short(await read({ 'samples.json': { samples } }))).toEqual([
      'data/a.jpg: cat [0.1,0.2,0.3,0.4] fraction',
      'data/a.jpg: sun',
    ]);
  });

  test('tables of TensorFlow and RetinaNet', async () => {
    const tensorFlow = 'filename,width,height,class,xmin,ymin,xmax,ymax\na.jpg,100,100,cat,10,20,40,60\n';
    const retinaNet = 'images/b.jpg,10,20,40,60,dog\nimages/a.jpg,,,,,\n';
    expect(
      short(await read({ 'train_labels.csv': tensorFlow, 'x.csv': retinaNet, 'prices.csv': 'a,b\n1,2\n' })),
    ).toEqual([`problem: ${UNKNOWN}`, 'a.jpg: cat [10,20,30,40] px', 'images/b.jpg: dog [10,20,30,40] px']);
  });

  test('metadata of Hugging Face', async () => {
    const objects = { bbox: [[10, 20, 30, 40]], categories: ['cat'] };
    const lines = [{ file_name: 'a.jpg', text: 'A cat.', objects }, { file_name: 'b.jpg', label: 'dog' }, 'no object'];
    expect(
      short(
        await read({
          'train/metadata.jsonl': lines.map((line) => JSON.stringify(line)).join('\n'),
          'test/metadata.csv': 'file_name,label\nb.jpg,bird\n',
        }),
      ),
    ).toEqual([
      'b.jpg: bird',
      'a.jpg: "A cat."',
      'a.jpg: cat [10,20,30,40] px',
      'b.jpg: dog',
      'problem: the line is not a JSON object',
    ]);
  });

  test('CreateML', async () => {
    const coordinates = { x: 25, y: 40, width: 30, height: 40 };
    const images = [
      { image: 'a.jpg', annotations: [{ label: 'cat', coordinates }, { label: 'dog' }] },
      { imagefilename: 'b.jpg', annotations: [{ label: 'dog', coordinates }] },
      { annotations: [] },
    ];
    expect(short(await read({ 'train.json': images }))).toEqual([
      'a.jpg: cat [10,20,30,40] px',
      'problem: a shape without a label or points',
      'b.jpg: dog [10,20,30,40] px',
      'problem: an image without a filename',
    ]);
  });

  test('Open Images: boxes and labels of named and unnamed classes', async () => {
    const boxes =
      'ImageID,Source,LabelName,Confidence,XMin,XMax,YMin,YMax\na,x,/m/0cat,1,0.1,0.4,0.2,0.6\nb,x,,1,0,1,0,1\n';
    const labels =
      'ImageID,Source,LabelName,Confidence\na,verification,/m/0dog,1\na,v,/m/0cat,0\nb,machine,/m/0cat,0.7\n';
    const items = await read({
      'oidv7-class-descriptions.csv': 'LabelName,DisplayName\n/m/0cat,Cat\n',
      'train-annotations-bbox.csv': boxes,
      'train-annotations-human-imagelabels.csv': labels,
    });
    expect(short(items)).toEqual([
      'a.jpg: Cat [0.1,0.2,0.3,0.4] fraction',
      'problem: a row without a file name or a class',
      'a.jpg: /m/0dog',
      'b.jpg: Cat',
    ]);
    expect(items.at(-1)).toMatchObject({ confidence: 0.7 });
  });

  test('lists of images, whose names give splits, and files that only describe others', async () => {
    const items = await read({
      'valid.txt': 'data/obj/a.jpg\n/data/b.jpg\n',
      'all.txt': 'a.jpg\nb.jpg',
      'classes.csv': 'cat,0\ndog,1\n',
      'metadata.json': { name: 'set', sample_fields: { filepath: 'string' } },
      'prices.csv': 'cat,5\n',
      'todo.txt': 'a.jpg\nbuy milk',
    });
    const leftOut = items.filter(({ kind }) => kind === 'problem').map(({ source }) => source);
    expect(leftOut.sort()).toEqual(['prices.csv', 'todo.txt']);
    expect(items.filter(({ kind }) => kind === 'value')).toMatchObject([
      { field_name: 'split', value: 'val', file_key: 'data/obj/a.jpg' },
      { field_name: 'split', value: 'val', file_key: '/data/b.jpg' },
    ]);
  });

  test('COCO results, and masks without a box', async () => {
    const coco = {
      images: [{ id: 7, file_name: 'a.jpg' }],
      categories: [{ id: 3, name: 'cat' }],
      annotations: [{ image_id: 7, category_id: 3, segmentation: { size: [6, 5], counts: [8, 2, 4, 2, 14] } }],
    };
    const results = [{ image_id: 7, category_id: 3, bbox: [10, 20, 30, 40], score: 0.75 }];
    expect(short(await read({ 'instances.json': coco, 'results.json': results }))).toEqual([
      'a.jpg: cat [1,2,2,2] px',
      'a.jpg: cat [10,20,30,40] px 0.75',
    ]);
    expect(short(await read({ 'results.json': results }))).toEqual([
      'problem: COCO results, but no COCO file beside them names their images and categories',
    ]);
  });

  test('YOLO with texts in another folder and names in any YAML file', async () => {
    const items = await read(
      {
        'annotations/yolo/a.txt': '1 0.25 0.4 0.3 0.4\n',
        'dataset.yaml': 'train: images\nnames:\n  0: dog\n  1: cat\n',
        'annotations/yolo/todo.txt': 'buy milk',
      },
      ['images/a.jpg', 'images/b.jpg'],
    );
    expect(short(items)).toEqual([
      'images/a.jpg: cat [0.1,0.2,0.3,0.4] fraction',
      'problem: the annotation format is not supported; the file was skipped',
    ]);
    const listed = await read({ 'labels/a.txt': '1 0.25 0.4 0.3 0.4\n', 'labels.txt': 'dog\ncat\n' });
    expect(short(listed)).toEqual(['a.jpg: cat [0.1,0.2,0.3,0.4] fraction']);
  });
});

test('an export of the original service', async () => {
  const metadataItems = [
    { type: 'user_tag', properties: { tag_name: 'checked', assigned_date: '2025-04-02T12:34:00.189534' } },
    { type: 'caption', properties: { text: 'A cat.', source: 'Model' } },
    { type: 'image_label', properties: { category_name: 'cat', source: 'Visual Layer', original_id: -1 } },
    { type: 'issue', properties: { issue_type: 'mislabels', confidence: 0.9, issues_description: 'dog' } },
  ];
  const items = await read({
    'metadata.json': {
      info: {},
      media_items: [{ media_id: '1', file_path: 'set/a.jpg', file_name: 'a.jpg', metadata_items: metadataItems }],
    },
  });
  expect(items.filter(({ kind }) => kind === 'value')).toMatchObject([
    { field_name: 'imported_issues', value: ['mislabels'], file_key: 'set/a.jpg', or_file_key: 'a.jpg' },
    { field_name: 'imported_label_hint', value: 'dog', file_key: 'set/a.jpg', or_file_key: 'a.jpg' },
  ]);
  expect(items.filter(({ kind }) => !['format', 'field', 'value'].includes(kind))).toMatchObject([
    {
      kind: 'tag',
      name: 'checked',
      assigned_at: '2025-04-02T12:34:00.189534',
      file_key: 'set/a.jpg',
      or_file_key: 'a.jpg',
    },
    { kind: 'caption', caption: 'A cat.', made_by: 'Model' },
    { kind: 'image_label', label: 'cat', made_by: 'Visual Layer' },
  ]);
});

test('a file in another format is reported with its name and the reason', async () => {
  const items = await read({ 'odd.json': { frames: [{ bbox: [1, 2, 3, 4] }] }, 'other.json': { a: 1 } });
  expect(items).toEqual([
    {
      kind: 'problem',
      source: 'odd.json',
      line: null,
      reason: message('annotation_format_unsupported'),
    },
    { kind: 'problem', source: 'other.json', line: null, reason: message('text_format_unsupported') },
  ]);
});

describe('the box around a mask', () => {
  test('is the same for runs as numbers and as compressed text', () => {
    // Column-major runs in columns of 6 rows: rows 2 and 3 of columns 1 and 2 are set.
    const counts = [8, 2, 4, 2, 14];
    const box = { x: 1, y: 2, width: 2, height: 2 };
    expect(boxOfMask({ size: [6, 5], counts })).toEqual(box);
    expect(boxOfMask({ size: [6, 5], counts: '8240:' })).toEqual(box);
  });

  test.each([{ counts: [30] }, { counts: [0, 99] }, { counts: 'x' }, { counts: [] }])('%j has none', ({ counts }) => {
    expect(boxOfMask({ size: [6, 5], counts })).toBeUndefined();
  });
});

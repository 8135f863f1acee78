import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { previewAnnotations } from '../../../src-main/infra/annotations/preview-annotations.ts';
import { createParquetThreads } from '../../../src-main/infra/parquet/parquet-thread.ts';
import { findMedia } from '../../support/media.ts';
import { needs } from '../../support/needs.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const media = findMedia();
const openParquet = createParquetThreads(
  resolve(import.meta.dirname, '../../../src-main/infra/parquet/parquet.worker.ts'),
);
const N_PHOTOS = 30;

interface Photo {
  name: string;
  width: number;
  height: number;
  boxes: { label: string; class_id: number; x: number; y: number; width: number; height: number }[];
}

let photos: Photo[] = [];
let classes: string[] = [];

beforeAll(async () => {
  if (!('root' in media)) return;
  const coco = JSON.parse(await readFile(join(media.root, 'photos/coco/instances.json'), 'utf8')) as {
    images: { id: number; file_name: string; width: number; height: number }[];
    annotations: { image_id: number; category_id: number; bbox: [number, number, number, number] }[];
    categories: { id: number; name: string }[];
  };
  const names = new Map(coco.categories.map(({ id, name }) => [id, name]));
  const ofImage = Map.groupBy(
    coco.annotations.filter(({ bbox }) => bbox[2] >= 1 && bbox[3] >= 1),
    ({ image_id }) => image_id,
  );
  const chosen = coco.images.filter(({ id }) => ofImage.has(id)).slice(0, N_PHOTOS);
  classes = [
    ...new Set(chosen.flatMap(({ id }) => (ofImage.get(id) ?? []).map((one) => names.get(one.category_id) ?? ''))),
  ];
  photos = chosen.map(({ id, file_name, width, height }) => ({
    ...{ name: file_name.slice(file_name.lastIndexOf('/') + 1), width, height },
    boxes: (ofImage.get(id) ?? []).map(({ category_id, bbox: [x, y, w, h] }) => {
      const label = names.get(category_id) ?? '';
      return { label, class_id: classes.indexOf(label), x, y, width: w, height: h };
    }),
  }));
});

type Files = Record<string, string | object>;
const stem = (name: string) => name.replace(/\.\w+$/, '');
const boxesOf = <T>(of: (photo: Photo, box: Photo['boxes'][number], at: number) => T) =>
  photos.flatMap((photo, at) => photo.boxes.map((box) => of(photo, box, at)));
const cocoOf = (annotations: object[]) => ({
  images: photos.map(({ name, width, height }, id) => ({ id, file_name: name, width, height })),
  annotations,
  categories: classes.map((name, id) => ({ id, name })),
});
const bbox = ({ x, y, width, height }: Photo['boxes'][number]) => [x, y, width, height];
/** Run lengths of a mask that fills a box, column by column. */
const runsOf = ({ height }: Photo, box: Photo['boxes'][number]) => {
  const [left, top, w, h] = [box.x, box.y, box.width, box.height].map(Math.floor) as [number, number, number, number];
  const gap = height - h;
  return [left * height + top, ...Array.from({ length: w }, (_, column) => (column === 0 ? [h] : [gap, h])).flat()];
};
const yoloOf = ({ width, height, boxes }: Photo) =>
  boxes
    .map((box) =>
      [
        box.class_id,
        (box.x + box.width / 2) / width,
        (box.y + box.height / 2) / height,
        box.width / width,
        box.height / height,
      ].join(' '),
    )
    .join('\n');

/** Files of annotations by layout, beside photos in `folder`. */
const LAYOUTS: { name: string; folder?: string; format: string; files: () => Files }[] = [
  {
    name: 'COCO',
    format: 'COCO',
    files: () => ({
      'instances.json': cocoOf(boxesOf((_, box, at) => ({ image_id: at, category_id: box.class_id, bbox: bbox(box) }))),
    }),
  },
  {
    name: 'COCO with masks',
    format: 'COCO',
    files: () => ({
      'instances.json': cocoOf(
        boxesOf((photo, box, at) => ({
          ...{ image_id: at, category_id: box.class_id },
          segmentation: { size: [photo.height, photo.width], counts: runsOf(photo, box) },
        })),
      ),
    }),
  },
  {
    name: 'COCO results',
    format: 'COCO results',
    files: () => ({
      'instances.json': cocoOf([]),
      'results.json': boxesOf((_, box, at) => ({
        image_id: at,
        category_id: box.class_id,
        bbox: bbox(box),
        score: 0.5,
      })),
    }),
  },
  {
    name: 'Pascal VOC',
    format: 'Pascal VOC',
    folder: 'JPEGImages',
    files: () =>
      Object.fromEntries(
        photos.map(({ name, boxes }) => {
          const objects = boxes.map(
            ({ label, x, y, width, height }) =>
              `<object><name>${label}</name><bndbox><xmin>${x}</xmin><ymin>${y}</ymin><xmax>${x + width}</xmax><ymax>${y + height}</ymax></bndbox></object>`,
          );
          return [
            `Annotations/${stem(name)}.xml`,
            `<annotation><filename>${name}</filename>${objects.join('')}</annotation>`,
          ];
        }),
      ),
  },
  {
    name: 'CVAT',
    format: 'CVAT',
    files: () => ({
      'annotations.xml': `<annotations>${photos
        .map(
          ({ name, boxes }) =>
            `<image name="${name}">${boxes
              .map(
                ({ label, x, y, width, height }) =>
                  `<box label="${label}" xtl="${x}" ytl="${y}" xbr="${x + width}" ybr="${y + height}"/>`,
              )
              .join('')}</image>`,
        )
        .join('')}</annotations>`,
    }),
  },
  {
    name: 'LabelMe',
    format: 'LabelMe',
    files: () =>
      Object.fromEntries(
        photos.map(({ name, boxes }) => [
          `${stem(name)}.json`,
          {
            imagePath: name,
            shapes: boxes.map(({ label, x, y, width, height }) => ({
              ...{ label, shape_type: 'rectangle' },
              points: [
                [x, y],
                [x + width, y + height],
              ],
            })),
          },
        ]),
      ),
  },
  {
    name: 'VIA',
    format: 'VIA',
    files: () => ({
      'via.json': Object.fromEntries(
        photos.map(({ name, boxes }) => [
          name,
          {
            filename: name,
            regions: boxes.map(({ label, x, y, width, height }) => ({
              shape_attributes: { name: 'rect', x, y, width, height },
              region_attributes: { label },
            })),
          },
        ]),
      ),
    }),
  },
  {
    name: 'Label Studio',
    format: 'Label Studio',
    files: () => ({
      'project.json': photos.map((photo) => ({
        data: { image: `/data/upload/1/0a1b2c3d-${photo.name}` },
        annotations: [
          {
            result: photo.boxes.map(({ label, x, y, width, height }) => ({
              type: 'rectanglelabels',
              value: {
                ...{ x: (x / photo.width) * 100, y: (y / photo.height) * 100 },
                ...{ width: (width / photo.width) * 100, height: (height / photo.height) * 100 },
                rectanglelabels: [label],
              },
            })),
          },
        ],
      })),
    }),
  },
  {
    name: 'FiftyOne',
    format: 'FiftyOne',
    folder: 'data',
    files: () => ({
      'metadata.json': { name: 'photos', media_type: 'image', sample_fields: [{ name: 'filepath' }], info: {} },
      'samples.json': {
        samples: photos.map((photo) => ({
          filepath: `data/${photo.name}`,
          ground_truth: {
            _cls: 'Detections',
            detections: photo.boxes.map(({ label, x, y, width, height }) => ({
              label,
              bounding_box: [x / photo.width, y / photo.height, width / photo.width, height / photo.height],
            })),
          },
        })),
      },
    }),
  },
  {
    name: 'TensorFlow CSV',
    format: 'Table of corners (TensorFlow)',
    files: () => ({
      'train_labels.csv': [
        'filename,width,height,class,xmin,ymin,xmax,ymax',
        ...boxesOf(({ name, width, height }, { label, x, y, width: w, height: h }) =>
          [name, width, height, label, x, y, x + w, y + h].join(','),
        ),
      ].join('\n'),
    }),
  },
  {
    name: 'RetinaNet CSV',
    format: 'Table of corners (RetinaNet)',
    files: () => ({
      'classes.csv': classes.map((name, id) => `${name},${id}`).join('\n'),
      'boxes.csv': boxesOf(({ name }, { label, x, y, width, height }) =>
        [name, x, y, x + width, y + height, label].join(','),
      ).join('\n'),
    }),
  },
  {
    name: 'CreateML',
    format: 'CreateML',
    files: () => ({
      '_annotations.createml.json': photos.map(({ name, boxes }) => ({
        image: name,
        annotations: boxes.map(({ label, x, y, width, height }) => ({
          label,
          coordinates: { x: x + width / 2, y: y + height / 2, width, height },
        })),
      })),
    }),
  },
  {
    name: 'Open Images',
    format: 'Open Images',
    files: () => ({
      'class-descriptions-boxable.csv': classes.map((name, id) => `/m/0${id},${name}`).join('\n'),
      'validation-annotations-bbox.csv': [
        'ImageID,Source,LabelName,Confidence,XMin,XMax,YMin,YMax,IsOccluded',
        ...boxesOf(({ name, width, height }, { class_id, x, y, width: w, height: h }) =>
          [
            ...[stem(name), 'xclick', `/m/0${class_id}`, 1],
            ...[x / width, (x + w) / width, y / height, (y + h) / height, 0],
          ].join(','),
        ),
      ].join('\n'),
    }),
  },
  {
    name: 'Hugging Face metadata',
    format: 'Hugging Face metadata',
    folder: 'train',
    files: () => ({
      'train/metadata.jsonl': photos
        .map(({ name, boxes }) => {
          const objects = { bbox: boxes.map(bbox), categories: boxes.map(({ label }) => label) };
          return JSON.stringify({ file_name: name, objects });
        })
        .join('\n'),
    }),
  },
  {
    name: 'YOLO',
    format: 'YOLO',
    folder: 'images/train',
    files: () => ({
      'data.yaml': `names:\n${classes.map((name, id) => `  ${id}: ${name}`).join('\n')}\n`,
      ...Object.fromEntries(photos.map((photo) => [`labels/train/${stem(photo.name)}.txt`, yoloOf(photo)])),
    }),
  },
  {
    name: 'YOLO of Darknet',
    format: 'YOLO',
    folder: 'obj_train_data',
    files: () => ({
      'obj.data': 'train = data/train.txt\nnames = data/obj.names\n',
      'obj.names': classes.join('\n'),
      'train.txt': photos.map(({ name }) => `data/obj_train_data/${name}`).join('\n'),
      ...Object.fromEntries(photos.map((photo) => [`obj_train_data/${stem(photo.name)}.txt`, yoloOf(photo)])),
    }),
  },
  {
    name: 'YOLO with labels.txt and texts elsewhere',
    format: 'YOLO',
    folder: 'photos',
    files: () => ({
      'boxes/labels.txt': classes.join('\n'),
      ...Object.fromEntries(photos.map((photo) => [`boxes/${stem(photo.name)}.txt`, yoloOf(photo)])),
    }),
  },
  {
    name: 'Table of boxes',
    format: 'Table of boxes',
    files: () => ({
      'object_annotations.csv': [
        'filename,col_x,row_y,width,height,label',
        ...boxesOf(({ name }, { label, x, y, width, height }) => [name, x, y, width, height, label].join(',')),
      ].join('\n'),
    }),
  },
  {
    name: 'Export',
    format: 'Export',
    folder: 'images',
    files: () => ({
      'metadata.json': {
        info: {},
        media_items: photos.map(({ name, boxes }) => ({
          image_filename: name,
          metadata_items: boxes.map((box) => ({
            type: 'object_label',
            properties: { category_name: box.label, bbox: bbox(box), source: 'User' },
          })),
        })),
      },
    }),
  },
];

describe('thirty photos, annotated in each layout', needs(media), () => {
  test.each(LAYOUTS)('$name: all boxes and classes are found', async ({ name, folder = '', format, files }) => {
    const root = await temporaryFolder();
    const written = files();
    for (const [path, content] of Object.entries(written)) {
      await mkdir(dirname(join(root, path)), { recursive: true });
      await writeFile(join(root, path), typeof content === 'string' ? content : JSON.stringify(content));
    }
    const paths = photos.map((photo) => (folder === '' ? photo.name : `${folder}/${photo.name}`));
    const previewed = { folder: root, paths: [...Object.keys(written), ...paths], places: new Map<string, string>() };
    const found = await previewAnnotations(previewed, openParquet);
    expect(found.problems).toEqual([]);
    expect(found.formats.find((one) => one.name === format)?.n_boxes, name).toBe(boxesOf(() => 1).length);
    expect(found.classes.map((one) => one.name).toSorted()).toEqual(classes.toSorted());
    expect(found.is_complete).toBe(true);
  });
});

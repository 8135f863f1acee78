import { z } from 'zod';
import { message } from '../../contract/messages.ts';
import type { AnnotationBox, AnnotationItem } from './annotation-row.ts';
import { createMl } from './create-ml.ts';
import { fiftyOne, fiftyOneFields } from './fifty-one.ts';
import { isRecord, type JsonFormat, label, objectOf, problem } from './json-format.ts';
import { boxAround, boxBetween } from './shapes.ts';

const point = z.tuple([z.number(), z.number()]);
const record = z.record(z.string(), z.unknown());

const labelMeShape = z.object({ label, points: z.array(point), shape_type: z.string().default('polygon') });

/** LabelMe: a file per image with its shapes. */
const labelMe: JsonFormat = {
  name: 'LabelMe',
  fits: (document) => isRecord(document) && Array.isArray(document.shapes) && 'imagePath' in document,
  read: (source, document) => {
    const { imagePath, shapes } = z.object({ imagePath: z.string(), shapes: z.array(z.unknown()) }).parse(document);
    return shapes.map((shape, at): AnnotationItem => {
      const line = at + 1;
      const { data } = labelMeShape.safeParse(shape);
      if (!data) return problem(source, line, message('shape_incomplete'));
      const { shape_type, points } = data;
      if (shape_type !== 'circle' && points.length < 2)
        return problem(source, line, message('shape_not_box', { shape: shape_type }));
      const box = shape_type === 'circle' ? boxOfCircle(points) : boxAround(points);
      return objectOf({ source, line, file_key: imagePath }, data.label, box);
    });
  },
};

/** @param points The centre and a point of the edge. */
function boxOfCircle([centre, edge]: readonly (readonly [number, number])[]): AnnotationBox | undefined {
  if (!centre || !edge) return undefined;
  const radius = Math.hypot(edge[0] - centre[0], edge[1] - centre[1]);
  return { x: centre[0] - radius, y: centre[1] - radius, width: 2 * radius, height: 2 * radius };
}

const viaImage = z.object({
  filename: z.string().min(1),
  regions: z.union([z.array(z.unknown()), record]).default([]),
  file_attributes: record.default({}),
});
const viaRegion = z.object({ shape_attributes: record, region_attributes: record.default({}) });

/** VGG Image Annotator, version 1 and 2: the project file or its export. */
const via: JsonFormat = {
  name: 'VIA',
  fits: (document) => isRecord(document) && ('_via_img_metadata' in document || isViaExport(document)),
  read: (source, document) => {
    const images = isRecord(document) ? (document._via_img_metadata ?? document) : {};
    return Object.values(isRecord(images) ? images : {}).flatMap((image, at): AnnotationItem[] => {
      const line = at + 1;
      const { data } = viaImage.safeParse(image);
      if (!data) return [problem(source, line, message('image_without_filename'))];
      const place = { source, line, file_key: data.filename };
      const regions = Object.values(data.regions).map((one): AnnotationItem => {
        const region = viaRegion.safeParse(one);
        if (!region.success) return problem(source, line, message('region_without_shape'));
        const name = labelOfAttributes(region.data.region_attributes);
        if (name === undefined) return problem(source, line, message('region_without_label'));
        return objectOf(place, name, boxOfVia(region.data.shape_attributes));
      });
      const name = labelOfAttributes(data.file_attributes, ['label', 'class', 'category']);
      return name === undefined
        ? regions
        : [...regions, { kind: 'image_label', ...place, label: name, class_id: null }];
    });
  },
};

function isViaExport(document: Record<string, unknown>): boolean {
  const [first] = Object.values(document);
  return isRecord(first) && 'filename' in first && 'regions' in first;
}

/**
 * Returns the value of a known attribute, otherwise of the first attribute with a value.
 * @param names The only attributes that are considered.
 */
function labelOfAttributes(attributes: Record<string, unknown>, names?: readonly string[]): string | undefined {
  const known = names ?? ['label', 'class', 'name', 'type', 'category', ...Object.keys(attributes)];
  for (const name of known) {
    const value = attributes[name];
    // Checkboxes are stored as an object of options.
    const text = isRecord(value) ? Object.keys(value).find((option) => value[option] === true) : value;
    if (typeof text === 'string' && text.trim() !== '') return text.trim();
  }
  return undefined;
}

function boxOfVia(shape: Record<string, unknown>): AnnotationBox | undefined {
  const value = (name: string) => Number(shape[name]);
  if (shape.name === 'rect')
    return boxAround([
      [value('x'), value('y')],
      [value('x') + value('width'), value('y') + value('height')],
    ]);
  if (shape.name === 'circle' || shape.name === 'ellipse') {
    const [across, down] = shape.name === 'circle' ? [value('r'), value('r')] : [value('rx'), value('ry')];
    return boxBetween(value('cx') - across, value('cy') - down, value('cx') + across, value('cy') + down);
  }
  const { all_points_x: across, all_points_y: down } = shape;
  if (!Array.isArray(across) || !Array.isArray(down)) return undefined;
  return boxAround(across.map((x, at): [number, number] => [Number(x), Number(down[at])]));
}

const labelStudioResult = z.object({ type: z.string(), value: record });
const PERCENT = 100;

/** Label Studio: its JSON export, and JSON-MIN. */
const labelStudio: JsonFormat = {
  name: 'Label Studio',
  fits: (document) =>
    Array.isArray(document) &&
    isRecord(document[0]) &&
    ((isRecord(document[0].data) && ('annotations' in document[0] || 'completions' in document[0])) ||
      'annotation_id' in document[0]),
  read: (source, document) =>
    (document as unknown[]).flatMap((task, at): AnnotationItem[] => {
      const line = at + 1;
      if (!isRecord(task)) return [problem(source, line, message('task_not_object'))];
      const data = isRecord(task.data) ? task.data : task;
      const address = [data.image, data.img, data.file, data.url, ...Object.values(data)].find(
        (value): value is string => typeof value === 'string' && /\.\w{3,4}($|\?)/.test(value),
      );
      if (address === undefined) return [problem(source, line, message('task_without_image'))];
      const place = { source, line, ...namesOfUpload(address) };
      return resultsOf(task).flatMap((result) => itemsOfResult(place, result));
    }),
};

/** Label Studio puts a prefix before the names of uploaded files. */
function namesOfUpload(address: string): { file_key: string; or_file_key: string } {
  const path = decodeURIComponent(address.replace(/^.*[?&]d=/, '').replace(/[?#].*$/, ''));
  const name = path.slice(path.lastIndexOf('/') + 1);
  return { file_key: path, or_file_key: name.replace(/^[0-9a-f]{8}-/, '') };
}

function resultsOf(task: Record<string, unknown>): unknown[] {
  const annotations = [task.annotations ?? task.completions ?? []].flat();
  const results = annotations.flatMap((one) => (isRecord(one) && Array.isArray(one.result) ? one.result : []));
  if (results.length > 0) return results;
  // JSON-MIN stores the values of each control directly in the task.
  return Object.values(task).flatMap((value): unknown[] => {
    if (!Array.isArray(value)) return [];
    return value.flatMap((one) => {
      const key = isRecord(one) ? Object.keys(one).find((name) => name.endsWith('labels')) : undefined;
      return key === undefined ? [] : [{ type: key, value: one }];
    });
  });
}

function itemsOfResult(
  place: { source: string; line: number; file_key: string; or_file_key: string },
  result: unknown,
): AnnotationItem[] {
  const { data } = labelStudioResult.safeParse(result);
  if (!data) return [];
  const { type, value } = data;
  if (type === 'choices' || type === 'taxonomy') {
    const choices = [value.choices ?? value.taxonomy ?? []].flat(2);
    return choices.flatMap((choice): AnnotationItem[] =>
      typeof choice === 'string' ? [{ kind: 'image_label', ...place, label: choice, class_id: null }] : [],
    );
  }
  const names = [value[type] ?? []].flat().filter((name): name is string => typeof name === 'string');
  const [name] = names;
  if (!type.endsWith('labels')) return [];
  if (name === undefined) return [problem(place.source, place.line, message('region_without_label'))];
  const points = z.array(point).safeParse(value.points);
  const [x, y, width, height] = [value.x, value.y, value.width, value.height].map(Number);
  const box = points.success ? boxAround(points.data) : boxOfPercent({ x, y, width, height });
  const fraction = box && {
    x: box.x / PERCENT,
    y: box.y / PERCENT,
    width: box.width / PERCENT,
    height: box.height / PERCENT,
  };
  return [objectOf(place, name, fraction, 'fraction')];
}

function boxOfPercent({
  x = Number.NaN,
  y = Number.NaN,
  width = Number.NaN,
  height = Number.NaN,
}: Record<string, number | undefined>) {
  return boxBetween(x, y, x + width, y + height);
}

/** The formats that are read as a whole, in the order in which they are tried. */
export const JSON_FORMATS: readonly JsonFormat[] = [labelMe, labelStudio, fiftyOne, fiftyOneFields, createMl, via];

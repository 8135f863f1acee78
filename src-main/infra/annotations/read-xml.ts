import { readFile, stat } from 'node:fs/promises';
import { XMLParser } from 'fast-xml-parser';
import { z } from 'zod';
import { AppError } from '../../contract/errors.ts';
import { type Message, message } from '../../contract/messages.ts';
import { type AnnotationBox, type AnnotationItem, detected } from './annotation-row.ts';
import { boxAround, boxBetween, hasArea } from './shapes.ts';

/** Maximum size in bytes of an XML file, which is parsed as a whole. */
const MAX_FILE_BYTES = 64 * 1024 * 1024;
/** Elements that may occur more than once. */
const LISTS = new Set(['object', 'image', 'box', 'polygon', 'tag', 'track']);

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '',
  parseTagValue: false,
  processEntities: { enabled: true, maxExpansionDepth: 2 },
  isArray: (name) => LISTS.has(name),
});

const number = z.coerce.number();
const vocObject = z.object({
  name: z.string().trim().min(1),
  bndbox: z.object({ xmin: number, ymin: number, xmax: number, ymax: number }),
});
const voc = z.object({ filename: z.string().trim().min(1), object: z.array(z.unknown()).default([]) });
const label = z.string().trim().min(1);
const cvatImage = z.object({
  name: z.string().min(1),
  box: z.array(z.unknown()).default([]),
  polygon: z.array(z.unknown()).default([]),
  tag: z.array(z.unknown()).default([]),
});
const cvatBox = z.object({ label, xtl: number, ytl: number, xbr: number, ybr: number });
const cvatPolygon = z.object({ label, points: z.string() });
const cvatTag = z.object({ label });

/**
 * Reads annotations in XML: Pascal VOC (one file per image) and CVAT for images. Other files yield nothing.
 * @throws AppError `invalid_request` for a file that is too large or not XML.
 */
export async function* readXml(source: string, path: string): AsyncGenerator<AnnotationItem[]> {
  const { size } = await stat(path);
  if (size > MAX_FILE_BYTES) throw new AppError('invalid_request', message('annotation_file_too_large'));
  const document = parse(await readFile(path, 'utf8'));
  if ('annotation' in document) yield [detected(source, 'Pascal VOC'), ...vocItems(source, document.annotation)];
  else if (isObject(document.annotations)) {
    yield [detected(source, 'CVAT'), ...cvatItems(source, document.annotations)];
  }
}

function parse(xml: string): Record<string, unknown> {
  try {
    return parser.parse(xml) as Record<string, unknown>;
  } catch {
    throw new AppError('invalid_request', message('xml_invalid'));
  }
}

function vocItems(source: string, annotation: unknown): AnnotationItem[] {
  const { data } = voc.safeParse(annotation);
  if (!data) return [problem(source, null, message('voc_without_filename'))];
  return data.object.map((one, at): AnnotationItem => {
    const object = vocObject.safeParse(one);
    if (!object.success) return problem(source, at + 1, message('voc_object_incomplete'));
    const { xmin, ymin, xmax, ymax } = object.data.bndbox;
    return objectOf(source, at + 1, data.filename, object.data.name, boxBetween(xmin, ymin, xmax, ymax));
  });
}

function cvatItems(source: string, annotations: Record<string, unknown>): AnnotationItem[] {
  const items: AnnotationItem[] = [];
  if (Array.isArray(annotations.track)) {
    items.push(problem(source, null, message('cvat_video')));
  }
  const images = Array.isArray(annotations.image) ? annotations.image : [];
  for (const [at, image] of images.entries()) {
    const { data } = cvatImage.safeParse(image);
    if (data) items.push(...itemsOfCvatImage(source, at + 1, data));
    else items.push(problem(source, at + 1, message('image_without_name')));
  }
  return items;
}

function itemsOfCvatImage(source: string, line: number, image: z.infer<typeof cvatImage>): AnnotationItem[] {
  const boxes = image.box.map((one): AnnotationItem => {
    const { data } = cvatBox.safeParse(one);
    if (!data) return problem(source, line, message('cvat_box_incomplete'));
    return objectOf(source, line, image.name, data.label, boxBetween(data.xtl, data.ytl, data.xbr, data.ybr));
  });
  const polygons = image.polygon.map((one): AnnotationItem => {
    const { data } = cvatPolygon.safeParse(one);
    if (!data) return problem(source, line, message('cvat_polygon_incomplete'));
    const points = data.points.split(';').map((point): [number, number] => {
      const [x = Number.NaN, y = Number.NaN] = point.split(',').map(Number);
      return [x, y];
    });
    return objectOf(source, line, image.name, data.label, boxAround(points));
  });
  const tags = image.tag.map((one): AnnotationItem => {
    const { data } = cvatTag.safeParse(one);
    if (!data) return problem(source, line, message('tag_without_label'));
    return { kind: 'image_label', source, line, file_key: image.name, label: data.label, class_id: null };
  });
  return [...boxes, ...polygons, ...tags];
}

function objectOf(
  source: string,
  line: number,
  fileKey: string,
  name: string,
  box: AnnotationBox | undefined,
): AnnotationItem {
  if (box === undefined || !hasArea(box)) return problem(source, line, message('box_without_area'));
  return { kind: 'object', source, line, file_key: fileKey, label: name, class_id: null, box, unit: 'px' };
}

function problem(source: string, line: number | null, reason: Message): AnnotationItem {
  return { kind: 'problem', source, line, reason };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

import { z } from 'zod';
import { message } from '../../contract/messages.ts';
import type { AnnotationItem } from './annotation-row.ts';
import { isRecord, type JsonFormat, label, objectOf, problem } from './json-format.ts';

const fractions = z.tuple([z.number(), z.number(), z.number(), z.number()]);
const detection = z.object({ label, bounding_box: fractions });

/** FiftyOne: the `samples.json` of a FiftyOneDataset export. */
export const fiftyOne: JsonFormat = {
  name: 'FiftyOne',
  fits: (document) =>
    isRecord(document) &&
    Array.isArray(document.samples) &&
    document.samples.every((sample, at) => at > 0 || (isRecord(sample) && 'filepath' in sample)),
  read: (source, document) =>
    (document as { samples: unknown[] }).samples.flatMap((sample, at): AnnotationItem[] => {
      const line = at + 1;
      if (!isRecord(sample) || typeof sample.filepath !== 'string') {
        return [problem(source, line, message('sample_without_filepath'))];
      }
      const place = { source, line, file_key: sample.filepath };
      return Object.values(sample).flatMap((field) => itemsOfField(place, field));
    }),
};

function itemsOfField(place: { source: string; line: number; file_key: string }, field: unknown): AnnotationItem[] {
  if (!isRecord(field)) return [];
  if (field._cls === 'Classification' && typeof field.label === 'string') {
    return [{ kind: 'image_label', ...place, label: field.label, class_id: null }];
  }
  if (field._cls === 'Classifications' && Array.isArray(field.classifications)) {
    return field.classifications.flatMap((one) =>
      itemsOfField(place, isRecord(one) ? { _cls: 'Classification', ...one } : one),
    );
  }
  if (field._cls !== 'Detections' || !Array.isArray(field.detections)) return [];
  return field.detections.map((one): AnnotationItem => {
    const { data } = detection.safeParse(one);
    if (!data) return problem(place.source, place.line, message('detection_incomplete'));
    const [x, y, width, height] = data.bounding_box;
    return objectOf(place, data.label, { x, y, width, height }, 'fraction');
  });
}

/** FiftyOne: the `metadata.json` beside `samples.json`, which declares the fields of its samples. */
export const fiftyOneFields: JsonFormat = {
  name: fiftyOne.name,
  fits: (document) => isRecord(document) && isRecordOrList(document.sample_fields) && 'name' in document,
  read: () => [],
};

function isRecordOrList(value: unknown): boolean {
  return isRecord(value) || Array.isArray(value);
}

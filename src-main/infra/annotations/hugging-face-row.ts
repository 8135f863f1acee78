import { z } from 'zod';
import { type Message, message } from '../../contract/messages.ts';
import type { AnnotationBox, AnnotationItem } from './annotation-row.ts';
import { hasArea } from './shapes.ts';

const objects = z.object({
  bbox: z.array(z.tuple([z.number(), z.number(), z.number(), z.number()])),
  categories: z.array(z.union([z.string(), z.number()])).optional(),
  category: z.array(z.union([z.string(), z.number()])).optional(),
});

/** Reads a row of Hugging Face metadata: `file_name` with `label`, `text` (a caption) and `objects`. */
export function itemsOfMetadata(source: string, line: number, row: Record<string, unknown>): AnnotationItem[] {
  const file = String(row.file_name ?? '').trim();
  if (file === '') return [problem(source, line, message('row_without_file_name'))];
  const place = { source, line, file_key: file };
  const items: AnnotationItem[] = [];
  for (const label of [row.label ?? row.labels ?? []].flat()) {
    const name = String(label ?? '').trim();
    if (name !== '') items.push({ kind: 'image_label', ...place, label: name, class_id: null });
  }
  for (const caption of [row.text ?? row.caption ?? []].flat()) {
    const words = String(caption ?? '').trim();
    if (words !== '') items.push({ kind: 'caption', ...place, caption: words });
  }
  if (row.objects === undefined) return items;
  const { data } = objects.safeParse(row.objects);
  if (!data) return [...items, problem(source, line, message('objects_without_bbox'))];
  const categories = data.categories ?? data.category ?? [];
  return [
    ...items,
    ...data.bbox.map(([x, y, width, height], at): AnnotationItem => {
      const category = categories[at];
      if (category === undefined) return problem(source, line, message('object_without_category'));
      return objectOf(place, String(category), { x, y, width, height }, typeof category === 'number' ? category : null);
    }),
  ];
}

function objectOf(
  place: { source: string; line: number; file_key: string },
  label: string,
  box: AnnotationBox | undefined,
  classId: number | null,
): AnnotationItem {
  if (box === undefined || !hasArea(box)) return problem(place.source, place.line, message('box_without_area'));
  return { kind: 'object', ...place, label, class_id: classId, box, unit: 'px' };
}

function problem(source: string, line: number, reason: Message): AnnotationItem {
  return { kind: 'problem', source, line, reason };
}

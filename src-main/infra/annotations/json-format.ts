import { z } from 'zod';
import { type Message, message } from '../../contract/messages.ts';
import type { AnnotationBox, AnnotationItem } from './annotation-row.ts';
import { hasArea } from './shapes.ts';

/** A JSON format that is read as a whole document. */
export interface JsonFormat {
  name: string;
  /** Whether a parsed document has this format. */
  fits(document: unknown): boolean;
  read(source: string, document: unknown): AnnotationItem[];
}

export const label = z.string().trim().min(1);

export const problem = (source: string, line: number | null, reason: Message): AnnotationItem => ({
  kind: 'problem',
  source,
  line,
  reason,
});

export function objectOf(
  place: { source: string; line: number; file_key: string; or_file_key?: string },
  name: string,
  box: AnnotationBox | undefined,
  unit: 'px' | 'fraction' = 'px',
): AnnotationItem {
  if (box === undefined || !hasArea(box)) return problem(place.source, place.line, message('box_without_area'));
  return { kind: 'object', ...place, label: name, class_id: null, box, unit };
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

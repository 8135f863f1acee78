import type { Message } from '../../contract/messages.ts';
import type { FieldType } from '../../contract/schemas/custom-metadata.ts';

/** Upper left corner and size, in pixels of the upright image or in fractions of its width and height. */
export interface AnnotationBox {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Position in an annotation file, for reports. */
export interface AnnotationOrigin {
  /** Relative path of the annotation file. */
  source: string;
  /** Line of a text file, row of a Parquet file or index in a list of a JSON file; from 1. Null for the file as a whole. */
  line: number | null;
}

/** A declared field of custom metadata. */
export interface MetadataField {
  field_name: string;
  field_type: FieldType;
  enum_options: string[];
  is_multi: boolean;
}

/** One annotation of one file. `file_key` names the file as the annotations do; a file index finds the file that it means. */
export type AnnotationRow = AnnotationOrigin & {
  file_key: string;
  /** Another name of the file, used when no file has the first name. */
  or_file_key?: string;
} & (
    | ({ kind: 'image_label'; label: string; class_id: number | null; confidence?: number } & Made)
    | ({ kind: 'caption'; caption: string } & Made)
    /** `assigned_at`: ISO 8601 date or datetime; without a zone in UTC. */
    | { kind: 'tag'; name: string; assigned_at: string }
    | { kind: 'value'; field_name: string; field_type: FieldType; value: unknown }
    | ({
        kind: 'object';
        label: string;
        class_id: number | null;
        box: AnnotationBox;
        unit: 'px' | 'fraction';
        /** Confidence of a prediction, 0 … 1; missing for annotations. */
        confidence?: number;
        /** Caption of the object. */
        caption?: { text: string; made_by?: string };
      } & Made)
  );

/** `made_by`: person or model that made an annotation, where an export states it. */
interface Made {
  made_by?: string;
}

/** A part of the annotations that cannot be used, and the reason. */
export type AnnotationProblem = AnnotationOrigin & { kind: 'problem'; reason: Message };

/** A declared field to which values refer. */
export type DeclaredField = AnnotationOrigin & { kind: 'field'; field: MetadataField };

/** A file whose format was recognised. */
export type DetectedFormat = AnnotationOrigin & { kind: 'format'; format: string };

export type AnnotationItem = AnnotationRow | DeclaredField | AnnotationProblem | DetectedFormat;

export function detected(source: string, format: string): DetectedFormat {
  return { kind: 'format', source, line: null, format };
}

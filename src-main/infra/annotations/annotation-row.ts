import type { FieldType } from '../../contract/schemas/custom-metadata.ts';

/** Left upper corner and size, in pixels of the upright image or in fractions of its width and height. */
export interface AnnotationBox {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Where something stands, for reports. */
export interface AnnotationOrigin {
  /** Relative path of the annotation file. */
  source: string;
  /** Line of a text, row of a Parquet file, place in a list of a JSON file; from 1. Null for the file as a whole. */
  line: number | null;
}

/** A field of custom metadata as it was declared. */
export interface MetadataField {
  field_name: string;
  field_type: FieldType;
  enum_options: string[];
  is_multi: boolean;
}

/** One thing said of one file. `file_key` names the file as the annotations do; a file index tells which one that is. */
export type AnnotationRow = AnnotationOrigin & {
  file_key: string;
  /** Another name of the file, where none has the first. */
  or_file_key?: string;
} & (
    | { kind: 'image_label'; label: string; class_id: number | null }
    | { kind: 'caption'; caption: string }
    /** `day`: on which it was put on, `YYYY-MM-DD`. */
    | { kind: 'tag'; name: string; day: string }
    | { kind: 'value'; field_name: string; field_type: FieldType; value: unknown }
    | {
        kind: 'object';
        label: string;
        class_id: number | null;
        box: AnnotationBox;
        unit: 'px' | 'fraction';
        /** Of a prediction, 0 … 1; missing for annotations. */
        confidence?: number;
      }
  );

/** Something that is of no use, and why. */
export type AnnotationProblem = AnnotationOrigin & { kind: 'problem'; reason: string };

/** A field that values are of. */
export type DeclaredField = AnnotationOrigin & { kind: 'field'; field: MetadataField };

export type AnnotationItem = AnnotationRow | DeclaredField | AnnotationProblem;

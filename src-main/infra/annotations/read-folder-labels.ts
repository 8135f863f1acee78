import { folderLabels, SPLIT_FIELD } from '../../contract/folder-labels.ts';
import { SPLITS } from '../../contract/schemas/export.ts';
import type { AnnotationItem } from './annotation-row.ts';

/** Source of labels that are names of folders. */
export const OF_FOLDER = 'Folder';
const BATCH = 5000;
/** The custom field that holds an item's split. */
export const SPLIT_FIELD_DECLARATION = {
  field_name: SPLIT_FIELD,
  field_type: 'enum' as const,
  enum_options: [...SPLITS],
  is_multi: false,
};

/**
 * Reads labels, and splits as values of the custom field `split`, from the folders of images.
 * @param paths Relative paths of the images, with `/`.
 * @param among Paths of all images of their source.
 * @param known Classes of images that the dataset has already; undefined for the first images.
 */
export function* readFolderLabels(
  paths: readonly string[],
  among: readonly string[],
  known: ReadonlySet<string> | undefined,
): Generator<AnnotationItem[]> {
  const read = folderLabels(among, known);
  if (paths.some((path) => read(path).split !== null)) {
    yield [{ kind: 'field', source: '', line: null, field: SPLIT_FIELD_DECLARATION }];
  }
  for (let at = 0; at < paths.length; at += BATCH) {
    yield paths.slice(at, at + BATCH).flatMap((path): AnnotationItem[] => {
      const { label, split } = read(path);
      const place = { source: '', line: null, file_key: path };
      const { field_name, field_type } = SPLIT_FIELD_DECLARATION;
      return [
        ...(label === null
          ? []
          : [{ kind: 'image_label' as const, ...place, label, class_id: null, made_by: OF_FOLDER }]),
        ...(split === null ? [] : [{ kind: 'value' as const, ...place, field_name, field_type, value: split }]),
      ];
    });
  }
}

import type { FileError } from '../../../src-main/contract/schemas/dataset.ts';
import { type Paged, pageQuery, usePaged } from '../../lib/use-paged.ts';

const PAGE_SIZE = 100;

/** A dataset's skipped files by path, of one kind or all. */
export function useFileErrors(datasetId: string, kind: FileError['kind'] | undefined): Paged<FileError> {
  return usePaged<FileError>({
    key: `${datasetId} ${kind ?? ''}`,
    pageSize: PAGE_SIZE,
    page: (pageNumber) =>
      pageQuery(
        'list_file_errors',
        { dataset_id: datasetId, page_number: pageNumber, page_size: PAGE_SIZE, kind },
        ({ file_errors, total }) => ({ items: file_errors, total }),
      ),
  });
}

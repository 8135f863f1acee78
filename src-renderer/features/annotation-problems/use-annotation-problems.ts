import type { AnnotationProblem } from '../../../src-main/contract/schemas/dataset.ts';
import { type Paged, pageQuery, usePaged } from '../../lib/use-paged.ts';

const PAGE_SIZE = 200;

/** Skipped entries of a dataset's annotation files, by file and line. */
export function useAnnotationProblems(datasetId: string): Paged<AnnotationProblem> {
  return usePaged<AnnotationProblem>({
    key: datasetId,
    pageSize: PAGE_SIZE,
    page: (pageNumber) =>
      pageQuery(
        'list_annotation_problems',
        { dataset_id: datasetId, page_number: pageNumber, page_size: PAGE_SIZE },
        ({ annotation_problems, total }) => ({ items: annotation_problems, total }),
      ),
  });
}

import { formatMessage } from '../../contract/messages.ts';
import type { FileError } from '../../contract/schemas/dataset.ts';
import type { DatasetContext } from '../access/contexts.ts';
import type { SomeHandlers } from '../handlers.ts';
import type { FileProblemKind } from '../ports/dataset-files.ts';
import type { IssueLimits } from '../ports/issue-limits.ts';
import { everything } from '../ports/query.ts';
import type { DatasetCatalog } from './dataset-catalog.ts';

/** Reports the contents of a dataset, and the files and annotations that could not be used. */
export class DatasetReportService {
  readonly #datasets: Pick<DatasetCatalog, 'storeOf'>;
  readonly #issueLimits: () => IssueLimits;

  /** The operations that this service handles. */
  readonly handlers = {
    get_dataset_stats: (context) => this.getStats(context),
    list_file_errors: (context, input) => this.listFileErrors(context, input),
    list_annotation_problems: (context, input) => this.listAnnotationProblems(context, input),
  } satisfies SomeHandlers;

  constructor(parts: { datasets: Pick<DatasetCatalog, 'storeOf'>; issueLimits: () => IssueLimits }) {
    this.#datasets = parts.datasets;
    this.#issueLimits = parts.issueLimits;
  }

  /** Counts the contents of the dataset. */
  async getStats({ dataset }: DatasetContext) {
    const store = this.#datasets.storeOf(dataset);
    const {
      n_files: _n_files,
      n_pending: _n_pending,
      n_annotation_files: _n_annotation_files,
      ...counts
    } = await store.items.counts();
    return {
      dataset_id: dataset.dataset_id,
      ...counts,
      n_ungrouped: await store.vectors.countUnindexed('IMAGES'),
      issues: await store.issues.count(everything('IMAGES'), this.#issueLimits()),
    };
  }

  /** A page of the files that could not be used. */
  async listFileErrors(
    { dataset }: DatasetContext,
    input: {
      page_number: number;
      page_size: number;
      kind?: FileProblemKind | undefined;
      batch_id?: string | undefined;
    },
  ) {
    const { page_number, page_size } = input;
    const found = await this.#datasets.storeOf(dataset).intake.listFileErrors({
      kind: input.kind ?? null,
      batch_id: input.batch_id ?? null,
      offset: page_number * page_size,
      limit: page_size,
    });
    const fileErrors = found.file_errors.map(
      ({ reason: problem, ...row }): FileError => ({
        ...row,
        file_name: row.file_path.slice(row.file_path.lastIndexOf('/') + 1),
        reason: formatMessage(problem),
        problem,
      }),
    );
    return { ...found, file_errors: fileErrors, page_number, page_size };
  }

  /** A page of the annotation file entries that could not be used. */
  async listAnnotationProblems({ dataset }: DatasetContext, input: { page_number: number; page_size: number }) {
    const { page_number, page_size } = input;
    const query = { offset: page_number * page_size, limit: page_size };
    const found = await this.#datasets.storeOf(dataset).annotations.listProblems(query);
    const problems = found.annotation_problems.map(({ reason: problem, ...row }) => ({
      ...row,
      reason: formatMessage(problem),
      problem,
    }));
    return { ...found, annotation_problems: problems, page_number, page_size };
  }
}

import { TriangleAlert } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { Dataset } from '../../src-main/contract/schemas/dataset.ts';
import { formatCount } from '../lib/format.ts';
import { useHashPath } from '../lib/location.ts';
import { routes } from '../lib/routes.ts';
import { useOperation } from '../lib/use-operation.ts';
import styles from './ProblemLinks.module.css';

interface FileErrorsLinkProps {
  dataset: Pick<Dataset, 'id' | 'n_file_errors'>;
  /** Shows the number alone unless the window is wide. */
  brief?: boolean;
}

/** Number of skipped files of a dataset, with a link to their list. Renders nothing without any. */
export function FileErrorsLink({ dataset, brief }: FileErrorsLinkProps) {
  const { t } = useTranslation();
  const count = dataset.n_file_errors;
  if (count === 0) return null;
  return (
    <ProblemLink
      to={routes.fileErrors(dataset.id)}
      text={t('common.badFiles', { count })}
      number={brief ? formatCount(count) : undefined}
      testId="file-errors-link"
    />
  );
}

/** Number of skipped annotations of a dataset, with a link to their list. Renders nothing without any. */
export function AnnotationProblemsLink({ datasetId }: { datasetId: string }) {
  const { t } = useTranslation();
  const { data: stats } = useOperation('get_dataset_stats', { dataset_id: datasetId });
  const count = stats?.n_annotation_problems ?? 0;
  if (count === 0) return null;
  return (
    <ProblemLink
      to={routes.annotationProblems(datasetId)}
      text={t('common.badAnnotations', { count })}
      testId="annotation-problems-link"
    />
  );
}

interface ProblemLinkProps {
  to: string;
  text: string;
  /** Replaces the text unless the window is wide. */
  number?: string | undefined;
  testId: string;
}

function ProblemLink({ to, text, number, testId }: ProblemLinkProps) {
  return (
    <a className={styles.link} href={useHashPath.hrefs(to)} title={text} data-testid={testId}>
      <TriangleAlert size={14} aria-hidden="true" />
      <span data-brief={number !== undefined}>{text}</span>
      {number !== undefined && (
        <span className={styles.number} aria-hidden="true">
          {number}
        </span>
      )}
    </a>
  );
}

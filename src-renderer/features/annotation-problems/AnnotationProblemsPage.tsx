import { CircleCheck } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { AnnotationProblem } from '../../../src-main/contract/schemas/dataset.ts';
import { DatasetBar } from '../../components/DatasetBar.tsx';
import { Page } from '../../components/Page.tsx';
import { PathCell } from '../../components/PathCell.tsx';
import { FileErrorsLink } from '../../components/ProblemLinks.tsx';
import { QueryError } from '../../components/QueryError.tsx';
import { StateMessage } from '../../components/StateMessage.tsx';
import { TablePage } from '../../components/TablePage.tsx';
import { VirtualTable } from '../../components/VirtualTable.tsx';
import { useDataset } from '../../lib/datasets.ts';
import { formatCount } from '../../lib/format.ts';
import { messageText } from '../../lib/message-text.ts';
import type { Paged } from '../../lib/use-paged.ts';
import { useAnnotationProblems } from './use-annotation-problems.ts';

/** Skipped entries of annotation files: file, position and reason. */
export function AnnotationProblemsPage({ datasetId }: { datasetId: string }) {
  const { t } = useTranslation();
  const { data: dataset } = useDataset(datasetId);
  const problems = useAnnotationProblems(datasetId);
  const { total, error } = problems;
  return (
    <Page
      bar={
        <DatasetBar
          datasetId={datasetId}
          dataset={dataset}
          place={total === undefined || total === 0 ? undefined : t('common.badAnnotations', { count: total })}
          facts={dataset !== undefined && <FileErrorsLink dataset={dataset} />}
        />
      }
    >
      {error !== null && total === undefined ? (
        <QueryError error={error} onRetry={problems.retry} />
      ) : total === 0 ? (
        <StateMessage
          testId="annotation-problems-empty"
          icon={<CircleCheck size={24} strokeWidth={1.5} />}
          title={t('annotationProblems.emptyTitle')}
          text={t('annotationProblems.emptyText')}
        />
      ) : (
        <TablePage
          testId="annotation-problems"
          note={t('annotationProblems.note')}
          table={total === undefined ? undefined : <Rows problems={problems} total={total} />}
        />
      )}
    </Page>
  );
}

function Rows({ problems, total }: { problems: Paged<AnnotationProblem>; total: number }) {
  const { t } = useTranslation();
  return (
    <VirtualTable
      label={t('annotationProblems.list')}
      rows={problems}
      total={total}
      rowTestId="annotation-problem-row"
      columns={[
        {
          key: 'path',
          title: t('annotationProblems.path'),
          width: 'minmax(0, 2fr)',
          hint: (problem) => problem.source_path,
          cell: (problem) => <PathCell path={problem.source_path} />,
        },
        {
          key: 'line',
          title: t('annotationProblems.line'),
          width: '72px',
          look: 'number',
          cell: (problem) => (problem.line === null ? '' : formatCount(problem.line)),
        },
        {
          key: 'reason',
          title: t('annotationProblems.reason'),
          width: 'minmax(0, 3fr)',
          look: 'quiet',
          hint: ({ problem }) => messageText(problem),
          cell: ({ problem }) => messageText(problem),
        },
      ]}
    />
  );
}

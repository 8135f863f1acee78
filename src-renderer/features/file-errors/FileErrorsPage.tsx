import { CircleCheck } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { fileError } from '../../../src-main/contract/schemas/dataset.ts';
import { DatasetBar } from '../../components/DatasetBar.tsx';
import { Page } from '../../components/Page.tsx';
import { AnnotationProblemsLink } from '../../components/ProblemLinks.tsx';
import { QueryError } from '../../components/QueryError.tsx';
import { StateMessage } from '../../components/StateMessage.tsx';
import { TablePage } from '../../components/TablePage.tsx';
import { useDataset } from '../../lib/datasets.ts';
import { formatCount } from '../../lib/format.ts';
import { useHashPath } from '../../lib/location.ts';
import { routes, usePlace } from '../../lib/routes.ts';
import { useOperation } from '../../lib/use-operation.ts';
import { FileErrorRows } from './FileErrorRows.tsx';
import styles from './FileErrorsPage.module.css';
import { useFileErrors } from './use-file-errors.ts';

const KINDS = fileError.shape.kind.options;

/** Skipped files of a dataset: counts by kind, paths and reasons. */
export function FileErrorsPage({ datasetId }: { datasetId: string }) {
  const { t } = useTranslation();
  const place = usePlace();
  const kind = KINDS.find((candidate) => candidate === place.kind);
  const { data: dataset } = useDataset(datasetId);
  const counts = useOperation('list_file_errors', { dataset_id: datasetId, page_size: 1 });
  const errors = useFileErrors(datasetId, kind);
  const total = counts.data?.total;
  const byKind = counts.data?.by_kind ?? {};
  const error = counts.error ?? (errors.total === undefined ? errors.error : null);

  const retry = () => {
    errors.retry();
    void counts.refetch();
  };

  const bar = (
    <DatasetBar
      datasetId={datasetId}
      dataset={dataset}
      place={total === undefined || total === 0 ? undefined : t('common.badFiles', { count: total })}
      facts={<AnnotationProblemsLink datasetId={datasetId} />}
    />
  );
  if (error !== null) {
    return (
      <Page bar={bar}>
        <QueryError error={error} onRetry={retry} />
      </Page>
    );
  }
  if (total === 0) {
    return (
      <Page bar={bar}>
        <StateMessage
          testId="no-file-errors"
          icon={<CircleCheck size={24} strokeWidth={1.5} />}
          title={t('fileErrors.emptyTitle')}
          text={t('fileErrors.emptyText')}
        />
      </Page>
    );
  }
  return (
    <Page bar={bar}>
      <TablePage
        testId="file-errors"
        note={t('fileErrors.note')}
        above={
          <nav className={styles.kinds} aria-label={t('fileErrors.filter')}>
            <KindLink
              href={routes.fileErrors(datasetId)}
              current={kind === undefined}
              name={t('fileErrors.all')}
              count={total}
            />
            {KINDS.filter((candidate) => (byKind[candidate] ?? 0) > 0).map((candidate) => (
              <KindLink
                key={candidate}
                href={routes.fileErrors(datasetId, candidate)}
                current={kind === candidate}
                name={t(`fileErrors.kind.${candidate}`)}
                count={byKind[candidate]}
              />
            ))}
          </nav>
        }
        table={
          errors.total === undefined ? undefined : (
            <FileErrorRows key={kind ?? 'all'} errors={errors} total={errors.total} />
          )
        }
      />
    </Page>
  );
}

interface KindLinkProps {
  href: string;
  current: boolean;
  name: string;
  count: number | undefined;
}

function KindLink({ href, current, name, count }: KindLinkProps) {
  return (
    <a className={styles.kind} href={useHashPath.hrefs(href)} aria-current={current}>
      {name}
      {count !== undefined && <span className={styles.count}>{formatCount(count)}</span>}
    </a>
  );
}

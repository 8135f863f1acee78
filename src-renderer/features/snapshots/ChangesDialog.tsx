import { keepPreviousData } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import {
  SNAPSHOT_CHANGE_KINDS,
  type Snapshot,
  type SnapshotChangeKind,
} from '../../../src-main/contract/schemas/snapshot.ts';
import { Button } from '../../components/Button.tsx';
import { Dialog } from '../../components/Dialog.tsx';
import { QueryError } from '../../components/QueryError.tsx';
import { Skeleton } from '../../components/Skeleton.tsx';
import { useOperation } from '../../lib/use-operation.ts';
import styles from './Changes.module.css';

interface ChangesDialogProps {
  datasetId: string;
  snapshot: Snapshot;
  /** Snapshots to compare with, newest first. */
  others: readonly Snapshot[];
  onClose(): void;
}

const PAGE_SIZE = 50;
const NOW = '';

/** Changes between a snapshot and the current version or another snapshot. */
export function ChangesDialog({ datasetId, snapshot, others, onClose }: ChangesDialogProps) {
  const { t } = useTranslation();
  const [against, setAgainst] = useState(NOW);
  const [kind, setKind] = useState<SnapshotChangeKind>();
  const [page, setPage] = useState(0);
  const { data, error, refetch, isPlaceholderData } = useOperation(
    'list_snapshot_changes',
    {
      dataset_id: datasetId,
      snapshot_id: snapshot.snapshot_id,
      against,
      kind,
      page_number: page,
      page_size: PAGE_SIZE,
    },
    { placeholderData: keepPreviousData },
  );
  const from = page * PAGE_SIZE;
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('snapshots.changesSince', { name: snapshot.snapshot_name })}
      width={640}
      testId="changes-dialog"
    >
      <div className={styles.body}>
        <label className={styles.against}>
          {t('snapshots.against')}
          <select
            value={against}
            data-autofocus
            onChange={(event) => {
              setAgainst(event.target.value);
              setKind(undefined);
              setPage(0);
            }}
          >
            <option value={NOW}>{t('snapshots.now')}</option>
            {others.map(({ snapshot_id, snapshot_name }) => (
              <option key={snapshot_id} value={snapshot_id}>
                {snapshot_name}
              </option>
            ))}
          </select>
        </label>
        {error !== null && <QueryError error={error} onRetry={() => void refetch()} />}
        {data === undefined && error === null && <Skeleton style={{ height: 200 }} />}
        {data !== undefined && (
          <div data-dimmed={isPlaceholderData}>
            <ul className={styles.kinds}>
              {SNAPSHOT_CHANGE_KINDS.filter((one) => data.counts[one] > 0).map((one) => (
                <li key={one}>
                  <button
                    type="button"
                    className={styles.kind}
                    aria-pressed={kind === one}
                    onClick={() => {
                      setKind(kind === one ? undefined : one);
                      setPage(0);
                    }}
                  >
                    {t(`snapshots.changed.${one}`, { count: data.counts[one] })}
                  </button>
                </li>
              ))}
            </ul>
            {data.total === 0 && <p className={styles.none}>{t('snapshots.nothingChanged')}</p>}
            <ol className={styles.list}>
              {data.changes.map((change) => (
                <li key={`${change.kind} ${change.media_id} ${change.name}`} data-testid="snapshot-change">
                  <span className={styles.what}>{t(`snapshots.change.${change.kind}`, { name: change.name })}</span>
                  <span className={styles.path} title={change.file_path}>
                    {change.file_path}
                  </span>
                </li>
              ))}
            </ol>
          </div>
        )}
        {data !== undefined && data.total > PAGE_SIZE && (
          <footer className={styles.pages}>
            <Button disabled={page === 0} onClick={() => setPage(page - 1)}>
              {t('snapshots.previous')}
            </Button>
            <span>{t('snapshots.range', { from: from + 1, to: from + data.changes.length, total: data.total })}</span>
            <Button disabled={from + PAGE_SIZE >= data.total} onClick={() => setPage(page + 1)}>
              {t('snapshots.next')}
            </Button>
          </footer>
        )}
      </div>
    </Dialog>
  );
}

import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { VitrineBridge } from '../../src-preload/bridge.ts';
import { asApiError } from '../lib/api-error.ts';
import { formatBytes } from '../lib/format.ts';
import { useNotices } from '../lib/notices.ts';
import { loadTrashItems, moveFiles, type TrashFailure, type TrashItem, type TrashQuery } from '../lib/trash.ts';
import { Button } from './Button.tsx';
import { Dialog } from './Dialog.tsx';
import form from './Form.module.css';
import { ProgressBar } from './Progress.tsx';
import { Skeleton } from './Skeleton.tsx';
import styles from './TrashDialog.module.css';

interface TrashDialogProps {
  datasetId: string;
  query: TrashQuery;
  bridge: VitrineBridge;
  onClose(): void;
}

/** Maximum number of paths in the list. */
const MAX_SHOWN = 500;

/** Lists the files, moves them to the system's trash after one confirmation, and lists those that could not be moved. */
export function TrashDialog({ datasetId, query, bridge, onClose }: TrashDialogProps) {
  const { t } = useTranslation();
  const notice = useNotices((state) => state.show);
  const canRestore = bridge.platform === 'linux';
  const [nDone, setNDone] = useState<number | undefined>(undefined);
  const [failures, setFailures] = useState<readonly TrashFailure[] | undefined>(undefined);
  const isStopped = useRef(false);
  useEffect(() => {
    isStopped.current = false;
    return () => {
      isStopped.current = true;
    };
  }, []);
  const { data: items, error } = useQuery({
    queryKey: ['trash-items', datasetId, query],
    queryFn: () => loadTrashItems(datasetId, query),
    gcTime: 0,
  });

  const restore = async (moved: readonly TrashItem[]) => {
    const back = await moveFiles(bridge, 'restore', moved);
    const words = [
      t('trash.restored', { count: back.done.length }),
      ...(back.failures.length > 0 ? [t('trash.notRestored', { count: back.failures.length })] : []),
    ];
    notice({ key: 'trash', text: words.join(' '), isBrief: back.failures.length === 0 });
  };
  const move = async (all: readonly TrashItem[]) => {
    const moved = await moveFiles(bridge, 'move', all, (n) => {
      if (!isStopped.current) setNDone(n);
      return !isStopped.current;
    });
    if (moved.done.length > 0) {
      notice({
        key: 'trash',
        text: t(canRestore ? 'trash.done' : 'trash.doneForGood', { count: moved.done.length }),
        ...(canRestore && { action: { label: t('selection.undo'), run: () => void restore(moved.done) } }),
      });
    }
    if (isStopped.current) return;
    setNDone(undefined);
    if (moved.failures.length > 0) setFailures(moved.failures);
    else onClose();
  };

  const isMoving = nDone !== undefined;
  const size = formatBytes((items ?? []).reduce((sum, { size_bytes }) => sum + size_bytes, 0));
  const count = items?.length ?? 0;
  return (
    <Dialog
      open
      onClose={onClose}
      title={failures === undefined ? t('trash.title') : t('trash.failedTitle', { count: failures.length })}
      width={560}
      testId="trash-dialog"
    >
      <div className={form.form}>
        {failures !== undefined ? (
          <Paths
            rows={failures.map(({ item, reason }) => ({ ...item, note: t(`trash.reasons.${reason}`) }))}
            testId="trash-failures"
          />
        ) : items === undefined ? (
          error === null ? (
            <Skeleton style={{ height: 120, width: '100%' }} />
          ) : (
            <p className={form.error} role="alert">
              {asApiError(error).detail}
            </p>
          )
        ) : (
          <>
            <p className={styles.text}>
              <strong>{count === 0 ? t('trash.none') : t('trash.question', { count, size })}</strong>{' '}
              {count > 0 && t(canRestore ? 'trash.explained' : 'trash.explainedForGood')}
            </p>
            {count > 0 && <Paths rows={items.slice(0, MAX_SHOWN)} testId="trash-files" />}
            {count > MAX_SHOWN && <p className={styles.note}>{t('trash.more', { count: count - MAX_SHOWN })}</p>}
          </>
        )}
        {isMoving && <ProgressBar percent={(100 * nDone) / Math.max(1, count)} label={t('trash.moving')} />}
        <footer className={form.footer}>
          <Button onClick={onClose} data-autofocus>
            {failures !== undefined ? t('common.close') : isMoving ? t('trash.stop') : t('common.cancel')}
          </Button>
          {failures === undefined && count > 0 && items !== undefined && (
            <Button kind="danger" disabled={isMoving} onClick={() => void move(items)} data-testid="confirm-trash">
              {t('trash.confirm', { count })}
            </Button>
          )}
        </footer>
      </div>
    </Dialog>
  );
}

function Paths({ rows, testId }: { rows: readonly (TrashItem & { note?: string })[]; testId: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <ol className={styles.paths} tabIndex={0} data-testid={testId}>
      {rows.map(({ media_id, file_path, note }) => (
        <li key={media_id}>
          <span className={styles.path} title={file_path}>
            {file_path}
          </span>
          {note !== undefined && <span className={styles.note}>{note}</span>}
        </li>
      ))}
    </ol>
  );
}

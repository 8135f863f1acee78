import { History, RotateCcw } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../components/Button.tsx';
import { Drawer } from '../../components/Drawer.tsx';
import { QueryError } from '../../components/QueryError.tsx';
import { Skeleton } from '../../components/Skeleton.tsx';
import { StateMessage } from '../../components/StateMessage.tsx';
import { useIsShared } from '../../lib/account.ts';
import { useDataset, useMayOn } from '../../lib/datasets.ts';
import { useEditWords } from '../../lib/edit-words.ts';
import { useEditsRequest } from '../../lib/edits-request.ts';
import { formatAgo, formatDateTime } from '../../lib/format.ts';
import { useLastEdit } from '../../lib/last-edit.ts';
import { useEdits } from '../../lib/use-edits.ts';
import { useNow } from '../../lib/use-now.ts';
import { useOperation } from '../../lib/use-operation.ts';
import styles from './EditsDrawer.module.css';

/** The edits of the dataset that a screen requested. */
export function EditsDrawer() {
  const { datasetId, close } = useEditsRequest();
  return datasetId === null ? null : <Edits key={datasetId} datasetId={datasetId} onClose={close} />;
}

function Edits({ datasetId, onClose }: { datasetId: string; onClose(): void }) {
  const { t } = useTranslation();
  const { data: dataset } = useDataset(datasetId);
  const { data, error, refetch } = useOperation('list_edits', { dataset_id: datasetId });
  const failure = useLastEdit((last) => (last.datasetId === datasetId ? last.error : undefined));
  const edits = useEdits(datasetId);
  const wordsOf = useEditWords();
  const mayUndo = useMayOn(datasetId)('undo_edit');
  const isShared = useIsShared();
  const nowMs = useNow(false);
  return (
    <Drawer title={t('edits.title')} subject={dataset?.display_name} onClose={onClose} testId="edits-drawer">
      <p className={styles.error} role="alert">
        {failure?.detail}
      </p>
      {data === undefined ? (
        error === null ? (
          <Skeleton style={{ height: 240, margin: 16 }} />
        ) : (
          <QueryError error={error} onRetry={() => void refetch()} />
        )
      ) : data.length === 0 ? (
        <StateMessage
          icon={<History size={24} strokeWidth={1.5} />}
          title={t('edits.emptyTitle')}
          text={t('edits.emptyText')}
          testId="no-edits"
        />
      ) : (
        <ol className={styles.list}>
          {data.map((edit) => (
            <li key={edit.edit_id} className={styles.row} data-testid="edit-row">
              <span className={styles.what}>
                <span className={styles.words}>{wordsOf(edit)}</span>
                <span className={styles.facts}>
                  <time dateTime={edit.created_at ?? ''} title={formatDateTime(edit.created_at ?? '')}>
                    {formatAgo(edit.created_at ?? '', nowMs)}
                  </time>
                  {isShared && ` · ${edit.created_by}`}
                </span>
              </span>
              {mayUndo && edit.edit_id !== null && (
                <Button
                  icon={<RotateCcw size={14} />}
                  aria-label={t('edits.undoNamed', { words: wordsOf(edit) })}
                  disabled={edits.isPending}
                  onClick={() => edits.undo(edit.edit_id ?? 0)}
                  data-testid="undo-edit"
                >
                  {t('selection.undo')}
                </Button>
              )}
            </li>
          ))}
        </ol>
      )}
    </Drawer>
  );
}

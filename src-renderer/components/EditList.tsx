import { RotateCcw } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { Edit } from '../../src-main/contract/schemas/edit.ts';
import { useIsShared } from '../lib/account.ts';
import { useMayOn } from '../lib/datasets.ts';
import { useEditWords } from '../lib/edit-words.ts';
import { formatAgo, formatDateTime } from '../lib/format.ts';
import type { Edits } from '../lib/use-edits.ts';
import { useNow } from '../lib/use-now.ts';
import { Button } from './Button.tsx';
import styles from './EditList.module.css';

interface EditListProps {
  datasetId: string;
  list: readonly Edit[];
  edits: Edits;
}

/** Edits with their time, their author where there are several people, and a button that undoes each. */
export function EditList({ datasetId, list, edits }: EditListProps) {
  const { t } = useTranslation();
  const wordsOf = useEditWords();
  const mayUndo = useMayOn(datasetId)('undo_edit');
  const isShared = useIsShared();
  const nowMs = useNow(false);
  return (
    <ol>
      {list.map((edit) => (
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
  );
}

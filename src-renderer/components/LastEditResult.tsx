import { History, RotateCcw, X } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useEditWords } from '../lib/edit-words.ts';
import { useEditsRequest } from '../lib/edits-request.ts';
import { useLastEdit } from '../lib/last-edit.ts';
import type { Edits } from '../lib/use-edits.ts';
import { Button } from './Button.tsx';
import { currentTile } from './current-tile.ts';
import { IconButton } from './IconButton.tsx';
import styles from './SelectionTray.module.css';

/** The result of the last edit, or why it failed, with Undo and the list of all edits. */
export function LastEditResult({ datasetId, edits }: { datasetId: string; edits: Edits }) {
  const { t } = useTranslation();
  const wordsOf = useEditWords();
  const { datasetId: of, edit, undone, error, forget } = useLastEdit();
  if (of !== datasetId) return null;
  const words = edit && (undone ? t('selection.undone', { words: wordsOf(edit) }) : wordsOf(edit));
  const editId = undone ? null : (edit?.edit_id ?? null);
  if (words === undefined && error === undefined) return null;
  return (
    <span className={styles.result} data-testid="edit-done">
      <span
        className={error === undefined ? styles.words : styles.error}
        role={error === undefined ? 'status' : 'alert'}
        title={words}
      >
        {error?.detail ?? words}
      </span>
      {editId !== null && (
        <Button
          kind="quiet"
          icon={<RotateCcw size={14} />}
          title={`${t('selection.undo')} (Ctrl Z)`}
          onClick={() => {
            edits.undo(editId);
            // The button is removed when the edit is undone.
            currentTile()?.focus();
          }}
          data-testid="undo"
        >
          {t('selection.undo')}
        </Button>
      )}
      <IconButton
        label={t('edits.open')}
        shortcut="Shift Z"
        icon={<History size={14} />}
        onClick={() => useEditsRequest.getState().open(datasetId)}
        data-testid="open-edits"
      />
      <IconButton label={t('common.close')} icon={<X size={14} />} onClick={forget} />
    </span>
  );
}

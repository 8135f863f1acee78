import { RotateCcw, X } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { Edits } from '../lib/use-edits.ts';
import { Button } from './Button.tsx';
import { IconButton } from './IconButton.tsx';
import styles from './SelectionBar.module.css';

/** The result of the last edit, or why it failed, with an Undo button. */
export function EditDone({ edits }: { edits: Edits }) {
  const { t } = useTranslation();
  if (edits.words === undefined && edits.error === null) return null;
  return (
    <div className={styles.bar} role="status" data-testid="edit-done">
      <span>{edits.error === null ? edits.words : edits.error.detail}</span>
      {edits.canUndo && edits.error === null && (
        <Button kind="quiet" icon={<RotateCcw size={14} />} onClick={edits.undo} data-testid="undo">
          {t('selection.undo')}
        </Button>
      )}
      <IconButton label={t('common.close')} icon={<X size={14} />} onClick={edits.forget} />
    </div>
  );
}

import { AlertDialog } from 'radix-ui';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from './Button.tsx';
import styles from './ConfirmDialog.module.css';
import frame from './Dialog.module.css';
import { useReturnFocus } from './use-return-focus.ts';

interface ConfirmDialogProps {
  title: string;
  confirm: string;
  /** `danger` for actions that delete or revoke something. */
  kind?: 'danger' | 'primary';
  onConfirm(): void;
  onClose(): void;
  busy?: boolean;
  /** Why the last attempt failed. */
  error?: string | undefined;
  children: ReactNode;
}

export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, confirm, kind = 'danger', onConfirm, onClose, busy, error, children } = props;
  const { t } = useTranslation();
  const focus = useReturnFocus();
  return (
    <AlertDialog.Root open onOpenChange={(next) => !next && onClose()}>
      <AlertDialog.Portal>
        <AlertDialog.Overlay className={frame.scrim} />
        <AlertDialog.Content className={frame.dialog} style={{ width: 420 }} {...focus}>
          <div className={styles.body}>
            <AlertDialog.Title className={styles.title}>{title}</AlertDialog.Title>
            <AlertDialog.Description asChild>
              <div className={styles.text}>{children}</div>
            </AlertDialog.Description>
            {error !== undefined && (
              <p className={styles.error} role="alert">
                {error}
              </p>
            )}
          </div>
          <footer className={styles.footer}>
            <AlertDialog.Cancel asChild>
              <Button kind="plain" data-autofocus>
                {t('common.cancel')}
              </Button>
            </AlertDialog.Cancel>
            <Button kind={kind} onClick={onConfirm} disabled={busy}>
              {confirm}
            </Button>
          </footer>
        </AlertDialog.Content>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}

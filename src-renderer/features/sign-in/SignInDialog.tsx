import { AlertDialog } from 'radix-ui';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../components/Button.tsx';
import confirm from '../../components/ConfirmDialog.module.css';
import frame from '../../components/Dialog.module.css';
import { useReturnFocus } from '../../components/use-return-focus.ts';
import styles from './SignIn.module.css';

/** The sign-in forms in a dialog over the current page. Stays open until the user signs in or leaves the page. */
export function SignInDialog({ title, text, children }: { title: string; text: string; children: ReactNode }) {
  const { t } = useTranslation();
  const focus = useReturnFocus();
  return (
    <AlertDialog.Root open>
      <AlertDialog.Portal>
        <AlertDialog.Overlay className={frame.scrim} />
        <AlertDialog.Content
          className={frame.dialog}
          style={{ width: 400 }}
          onEscapeKeyDown={(event) => event.preventDefault()}
          {...focus}
          data-testid="sign-in-dialog"
        >
          <div className={confirm.body}>
            <AlertDialog.Title className={confirm.title}>{title}</AlertDialog.Title>
            <AlertDialog.Description className={confirm.text}>{text}</AlertDialog.Description>
          </div>
          <div className={`${styles.body} ${styles.dialog}`}>
            {children}
            <Button kind="quiet" onClick={() => window.location.reload()}>
              {t('signIn.leave')}
            </Button>
          </div>
        </AlertDialog.Content>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}

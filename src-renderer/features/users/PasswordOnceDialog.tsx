import { useTranslation } from 'react-i18next';
import { Button } from '../../components/Button.tsx';
import { Dialog } from '../../components/Dialog.tsx';
import form from '../../components/Form.module.css';
import { ShownOnce } from '../../components/ShownOnce.tsx';

interface PasswordOnceDialogProps {
  username: string;
  password: string;
  onClose(): void;
}

export function PasswordOnceDialog({ username, password, onClose }: PasswordOnceDialogProps) {
  const { t } = useTranslation();
  return (
    <Dialog open onClose={onClose} title={t('users.onceTitle', { name: username })}>
      <div className={form.form}>
        <ShownOnce
          text={t('users.once')}
          facts={[
            { name: t('users.username'), value: username, testId: 'once-username' },
            { name: t('users.password'), value: password, testId: 'once-password' },
          ]}
        >
          <Button onClick={onClose} data-testid="shown-once-done">
            {t('users.done')}
          </Button>
        </ShownOnce>
      </div>
    </Dialog>
  );
}

import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { User } from '../../../src-main/contract/schemas/user.ts';
import { Button } from '../../components/Button.tsx';
import { Dialog } from '../../components/Dialog.tsx';
import form from '../../components/Form.module.css';
import { TextField } from '../../components/TextField.tsx';
import { useUserChange } from './use-user-change.ts';

export function RenameUserDialog({ user, onClose }: { user: User; onClose(): void }) {
  const { t } = useTranslation();
  const [username, setUsername] = useState(user.username);
  const change = useUserChange();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!change.isPending) change.mutate({ user_id: user.id, username: username.trim() }, { onSuccess: onClose });
  };
  return (
    <Dialog open onClose={onClose} title={t('users.renameTitle', { name: user.username })} testId="rename-user-dialog">
      <form className={form.form} onSubmit={submit}>
        <TextField
          label={t('users.username')}
          value={username}
          autoComplete="off"
          autoCapitalize="none"
          hint={t('signIn.usernameHint')}
          error={change.error?.fields.username ?? change.error?.detail}
          onChange={setUsername}
          testId="rename-username"
        />
        <footer className={form.footer}>
          <Button onClick={onClose}>{t('common.cancel')}</Button>
          <Button kind="primary" type="submit" disabled={username.trim() === '' || change.isPending}>
            {t('users.save')}
          </Button>
        </footer>
      </form>
    </Dialog>
  );
}

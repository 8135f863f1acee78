import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { User } from '../../../src-main/contract/schemas/user.ts';
import { Dialog } from '../../components/Dialog.tsx';
import { Form } from '../../components/Form.tsx';
import { TextField } from '../../components/TextField.tsx';
import { useUserChange } from './use-user-change.ts';

export function RenameUserDialog({ user, onClose }: { user: User; onClose(): void }) {
  const { t } = useTranslation();
  const [username, setUsername] = useState(user.username);
  const change = useUserChange();
  return (
    <Dialog open onClose={onClose} title={t('users.renameTitle', { name: user.username })} testId="rename-user-dialog">
      <Form
        submit={t('users.save')}
        isPending={change.isPending}
        isComplete={username.trim() !== ''}
        onSubmit={() => change.mutate({ user_id: user.id, username: username.trim() }, { onSuccess: onClose })}
        onCancel={onClose}
      >
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
      </Form>
    </Dialog>
  );
}

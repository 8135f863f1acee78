import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { WORKSPACE_ROLES, type WorkspaceRole } from '../../../src-main/contract/permissions.ts';
import { Dialog } from '../../components/Dialog.tsx';
import form from '../../components/Form.module.css';
import { Form } from '../../components/Form.tsx';
import { Segmented } from '../../components/Segmented.tsx';
import { ShownOnce } from '../../components/ShownOnce.tsx';
import { TextField } from '../../components/TextField.tsx';
import { useAccount } from '../../lib/account.ts';
import { api } from '../../lib/api.ts';
import type { ApiError } from '../../lib/api-error.ts';
import { newPassword } from '../../lib/new-password.ts';
import { useFields } from '../../lib/use-fields.ts';
import { PasswordOnceDialog } from './PasswordOnceDialog.tsx';
import { useRefreshPeople } from './use-user-change.ts';

const EMPTY = { username: '', firstName: '', lastName: '' };

/** Creates a user with a first password, which is shown once. */
export function CreateUserDialog({ onClose }: { onClose(): void }) {
  const { t } = useTranslation();
  const { data: account } = useAccount();
  const { text, field: textField, errorOf } = useFields(EMPTY);
  const [role, setRole] = useState<WorkspaceRole>('viewer');
  const [password] = useState(newPassword);
  const onSettled = useRefreshPeople();
  const username = text.username.trim();
  /** The new admin replaces the caller, whose session ends at once, so the password is shown before creation. */
  const endsOwnSession = role === 'admin' && account?.single_workspace === true;
  const create = useMutation<unknown, ApiError>({
    mutationFn: () => api.create_user({ ...text, username, password, temporary: true, workspace_role: role }),
    onSuccess: () => endsOwnSession && onClose(),
    onSettled,
  });
  const isComplete = Object.values(text).every((one) => one.trim() !== '');
  if (create.isSuccess && !endsOwnSession)
    return <PasswordOnceDialog username={username} password={password} onClose={onClose} />;
  const field = (name: keyof typeof EMPTY) => ({
    ...textField(name, create.error),
    label: t(`users.${name}`),
    maxLength: 255,
    autoComplete: 'off',
    testId: `user-${name}`,
  });
  return (
    <Dialog open onClose={onClose} title={t('users.createTitle')} testId="create-user-dialog">
      <Form
        submit={t('users.confirm')}
        sending={t('users.creating')}
        isPending={create.isPending}
        isComplete={isComplete}
        error={errorOf(create.error)}
        onSubmit={() => create.mutate()}
        onCancel={onClose}
        testId="create-user"
      >
        <TextField {...field('username')} autoCapitalize="none" hint={t('signIn.usernameHint')} />
        <TextField {...field('firstName')} />
        <TextField {...field('lastName')} />
        <div className={form.field}>
          <span className={form.hint}>{t('users.workspaceRole')}</span>
          <Segmented<WorkspaceRole>
            label={t('users.workspaceRole')}
            value={role}
            onChange={setRole}
            options={WORKSPACE_ROLES.map((value) => ({ value, label: t(`account.roles.${value}`) }))}
            testId="user-role"
          />
          <p className={form.hint}>{endsOwnSession ? t('members.toAdminSingle') : t(`account.roleText.${role}`)}</p>
        </div>
        {endsOwnSession && (
          <ShownOnce
            text={t('users.onceBefore')}
            facts={[{ name: t('users.password'), value: password, testId: 'once-password' }]}
          />
        )}
      </Form>
    </Dialog>
  );
}

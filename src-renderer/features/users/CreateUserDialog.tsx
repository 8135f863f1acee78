import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { WORKSPACE_ROLES, type WorkspaceRole } from '../../../src-main/contract/permissions.ts';
import { Button } from '../../components/Button.tsx';
import { Dialog } from '../../components/Dialog.tsx';
import form from '../../components/Form.module.css';
import { Segmented } from '../../components/Segmented.tsx';
import { ShownOnce } from '../../components/ShownOnce.tsx';
import { TextField } from '../../components/TextField.tsx';
import { useAccount } from '../../lib/account.ts';
import { api } from '../../lib/api.ts';
import type { ApiError } from '../../lib/api-error.ts';
import { newPassword } from '../../lib/new-password.ts';
import { PasswordOnceDialog } from './PasswordOnceDialog.tsx';
import { useRefreshPeople } from './use-user-change.ts';

const EMPTY = { username: '', firstName: '', lastName: '' };

/** Creates a user with a first password, which is shown once. */
export function CreateUserDialog({ onClose }: { onClose(): void }) {
  const { t } = useTranslation();
  const { data: account } = useAccount();
  const [text, setText] = useState(EMPTY);
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
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isComplete && !create.isPending) create.mutate();
  };
  if (create.isSuccess && !endsOwnSession)
    return <PasswordOnceDialog username={username} password={password} onClose={onClose} />;
  const fields: Readonly<Record<string, string>> = create.error?.fields ?? {};
  const isNamed = Object.keys(fields).some((name) => name in EMPTY);
  const field = (name: keyof typeof EMPTY) => ({
    label: t(`users.${name}`),
    value: text[name],
    error: fields[name],
    maxLength: 255,
    autoComplete: 'off',
    onChange: (value: string) => setText((before) => ({ ...before, [name]: value })),
    testId: `user-${name}`,
  });
  return (
    <Dialog open onClose={onClose} title={t('users.createTitle')} testId="create-user-dialog">
      <form className={form.form} onSubmit={submit}>
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
        <p className={form.error} role="alert">
          {!isNamed && create.error?.detail}
        </p>
        <footer className={form.footer}>
          <Button onClick={onClose}>{t('common.cancel')}</Button>
          <Button kind="primary" type="submit" disabled={!isComplete || create.isPending} data-testid="create-user">
            {create.isPending ? t('users.creating') : t('users.confirm')}
          </Button>
        </footer>
      </form>
    </Dialog>
  );
}

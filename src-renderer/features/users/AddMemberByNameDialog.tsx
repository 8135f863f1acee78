import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { WORKSPACE_ROLES, type WorkspaceRole } from '../../../src-main/contract/permissions.ts';
import { Button } from '../../components/Button.tsx';
import { Dialog } from '../../components/Dialog.tsx';
import form from '../../components/Form.module.css';
import { Segmented } from '../../components/Segmented.tsx';
import { TextField } from '../../components/TextField.tsx';
import { api } from '../../lib/api.ts';
import type { ApiError } from '../../lib/api-error.ts';
import { useRefreshPeople } from './use-user-change.ts';

/** Adds a user by exact name, for workspace admins who may not list users. */
export function AddMemberByNameDialog({ of, onClose }: { of: { workspace_id?: string }; onClose(): void }) {
  const { t } = useTranslation();
  const [username, setUsername] = useState('');
  const [role, setRole] = useState<WorkspaceRole>('viewer');
  const onSettled = useRefreshPeople();
  const add = useMutation<unknown, ApiError>({
    mutationFn: () => api.add_member({ username: username.trim(), role, ...of }),
    onSuccess: onClose,
    onSettled,
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (username.trim() !== '' && !add.isPending) add.mutate();
  };
  return (
    <Dialog open onClose={onClose} title={t('members.addTitle')} testId="add-member-dialog">
      <form className={form.form} onSubmit={submit}>
        <TextField
          label={t('members.exact')}
          hint={t('members.exactHint')}
          value={username}
          maxLength={320}
          autoComplete="off"
          error={add.error?.code === 'not_found' ? t('members.exactUnknown') : add.error?.detail}
          onChange={(value) => {
            setUsername(value);
            add.reset();
          }}
        />
        <Segmented<WorkspaceRole>
          label={t('members.role')}
          value={role}
          onChange={setRole}
          options={WORKSPACE_ROLES.map((value) => ({ value, label: t(`account.roles.${value}`) }))}
        />
        <footer className={form.footer}>
          <Button onClick={onClose}>{t('common.cancel')}</Button>
          <Button kind="primary" type="submit" disabled={username.trim() === '' || add.isPending}>
            {t('members.addThis')}
          </Button>
        </footer>
      </form>
    </Dialog>
  );
}

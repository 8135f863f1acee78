import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { WORKSPACE_ROLES, type WorkspaceRole } from '../../../src-main/contract/permissions.ts';
import { Dialog } from '../../components/Dialog.tsx';
import { Form } from '../../components/Form.tsx';
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
  return (
    <Dialog open onClose={onClose} title={t('members.addTitle')} testId="add-member-dialog">
      <Form
        submit={t('members.addThis')}
        isPending={add.isPending}
        isComplete={username.trim() !== ''}
        onSubmit={() => add.mutate()}
        onCancel={onClose}
      >
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
      </Form>
    </Dialog>
  );
}

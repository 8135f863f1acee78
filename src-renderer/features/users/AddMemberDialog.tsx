import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { WORKSPACE_ROLES, type WorkspaceRole } from '../../../src-main/contract/permissions.ts';
import type { Member } from '../../../src-main/contract/schemas/workspace.ts';
import { Button } from '../../components/Button.tsx';
import { Dialog } from '../../components/Dialog.tsx';
import form from '../../components/Form.module.css';
import rows from '../../components/Rows.module.css';
import { Segmented } from '../../components/Segmented.tsx';
import { TextField } from '../../components/TextField.tsx';
import { api } from '../../lib/api.ts';
import type { ApiError } from '../../lib/api-error.ts';
import { useOperation } from '../../lib/use-operation.ts';
import { fullName } from './full-name.ts';
import styles from './People.module.css';
import { useRefreshPeople } from './use-user-change.ts';

const MAX_SHOWN = 20;

interface AddMemberDialogProps {
  /** Current members. */
  members: readonly Member[];
  of: { workspace_id?: string };
  onClose(): void;
}

/** Adds a user to a workspace. */
export function AddMemberDialog({ members, of, onClose }: AddMemberDialogProps) {
  const { t } = useTranslation();
  const [find, setFind] = useState('');
  const [role, setRole] = useState<WorkspaceRole>('viewer');
  const { data } = useOperation(
    'list_users',
    { max_results: MAX_SHOWN, ...(find.trim() !== '' && { search: find.trim() }) },
    { placeholderData: (previous) => previous },
  );
  const onSettled = useRefreshPeople();
  const add = useMutation<unknown, ApiError, string>({
    mutationFn: (userId) => api.add_member({ user_id: userId, role, ...of }),
    onSuccess: onClose,
    onSettled,
  });
  const present = new Set(members.map((member) => member.user_id));
  const others = (data?.users ?? []).filter((user) => !present.has(user.user_id));
  return (
    <Dialog open onClose={onClose} title={t('members.addTitle')} testId="add-member-dialog">
      <div className={form.form}>
        <TextField label={t('members.find')} value={find} autoComplete="off" onChange={setFind} />
        <Segmented<WorkspaceRole>
          label={t('members.role')}
          value={role}
          onChange={setRole}
          options={WORKSPACE_ROLES.map((value) => ({ value, label: t(`account.roles.${value}`) }))}
        />
        {data !== undefined && others.length === 0 ? (
          <p className={form.hint}>{t('members.none')}</p>
        ) : (
          <ul className={`${rows.list} ${styles.rows}`}>
            {others.map((user) => (
              <li key={user.id} className={rows.row}>
                <div className={rows.main}>
                  <p className={rows.name} title={user.username}>
                    {user.username}
                  </p>
                </div>
                <span className={rows.quiet}>{fullName(user)}</span>
                <Button
                  aria-label={t('members.addNamed', { name: user.username })}
                  disabled={add.isPending}
                  onClick={() => add.mutate(user.user_id)}
                >
                  {t('members.addThis')}
                </Button>
              </li>
            ))}
          </ul>
        )}
        <p className={form.error} role="alert">
          {add.error?.detail}
        </p>
      </div>
    </Dialog>
  );
}

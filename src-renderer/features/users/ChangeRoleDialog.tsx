import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { WorkspaceRole } from '../../../src-main/contract/permissions.ts';
import type { Member } from '../../../src-main/contract/schemas/workspace.ts';
import { ConfirmDialog } from '../../components/ConfirmDialog.tsx';
import { api } from '../../lib/api.ts';
import type { ApiError } from '../../lib/api-error.ts';
import { useRefreshPeople } from './use-user-change.ts';

export interface RoleChange {
  member: Member;
  /** The new role. */
  role: WorkspaceRole;
}

interface ChangeRoleDialogProps {
  change: RoleChange;
  of: { workspace_id?: string };
  isSingle: boolean;
  onClose(): void;
}

/** Explains the effects of a role change before it is made. */
export function ChangeRoleDialog({ change: { member, role }, of, isSingle, onClose }: ChangeRoleDialogProps) {
  const { t } = useTranslation();
  const onSettled = useRefreshPeople();
  const change = useMutation<unknown, ApiError>({
    mutationFn: () => api.set_member_role({ member_user_id: member.user_id, role, ...of }),
    onSuccess: onClose,
    onSettled,
  });
  const outcome = {
    admin: isSingle ? t('members.toAdminSingle') : t('members.toAdmin'),
    editor: t('members.toEditor'),
    viewer: t('members.toViewer'),
  }[role];
  return (
    <ConfirmDialog
      title={t('members.changeTitle', { name: member.username, role: t(`members.as.${role}`) })}
      confirm={t('members.confirm')}
      kind={role === 'editor' && member.role === 'viewer' ? 'primary' : 'danger'}
      busy={change.isPending}
      error={change.error?.detail}
      onConfirm={() => change.mutate()}
      onClose={onClose}
    >
      <p>{outcome}</p>
      {member.role === 'admin' && <p>{t('members.fromAdmin')}</p>}
    </ConfirmDialog>
  );
}

import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { Member } from '../../../src-main/contract/schemas/workspace.ts';
import { ConfirmDialog } from '../../components/ConfirmDialog.tsx';
import { api } from '../../lib/api.ts';
import type { ApiError } from '../../lib/api-error.ts';
import { useRefreshPeople } from './use-user-change.ts';

interface RemoveMemberDialogProps {
  member: Member;
  of: { workspace_id?: string };
  onClose(): void;
}

export function RemoveMemberDialog({ member, of, onClose }: RemoveMemberDialogProps) {
  const { t } = useTranslation();
  const onSettled = useRefreshPeople();
  const remove = useMutation<unknown, ApiError>({
    mutationFn: () => api.remove_member({ member_user_id: member.user_id, ...of }),
    onSuccess: onClose,
    onSettled,
  });
  return (
    <ConfirmDialog
      title={t('members.removeTitle', { name: member.username })}
      confirm={t('members.remove')}
      busy={remove.isPending}
      error={remove.error?.detail}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      <p>{t('members.removeText')}</p>
    </ConfirmDialog>
  );
}

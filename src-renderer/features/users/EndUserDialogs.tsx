import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { User } from '../../../src-main/contract/schemas/user.ts';
import { ConfirmDialog } from '../../components/ConfirmDialog.tsx';
import { api } from '../../lib/api.ts';
import type { ApiError } from '../../lib/api-error.ts';
import { useRefreshPeople, useUserChange } from './use-user-change.ts';

interface EndUserDialogProps {
  user: User;
  onClose(): void;
}

export function DisableUserDialog({ user, onClose }: EndUserDialogProps) {
  const { t } = useTranslation();
  const change = useUserChange();
  return (
    <ConfirmDialog
      title={t('users.disableTitle', { name: user.username })}
      confirm={t('users.disable')}
      busy={change.isPending}
      error={change.error?.detail}
      onConfirm={() => change.mutate({ user_id: user.id, enabled: false }, { onSuccess: onClose })}
      onClose={onClose}
    >
      <p>{t('users.disableText')}</p>
    </ConfirmDialog>
  );
}

export function DeleteUserDialog({ user, onClose }: EndUserDialogProps) {
  const { t } = useTranslation();
  const onSettled = useRefreshPeople();
  const remove = useMutation<unknown, ApiError>({
    mutationFn: () => api.delete_user({ user_id: user.id }),
    onSuccess: onClose,
    onSettled,
  });
  return (
    <ConfirmDialog
      title={t('users.deleteTitle', { name: user.username })}
      confirm={t('users.delete')}
      busy={remove.isPending}
      error={remove.error?.detail}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      <p>{t('users.deleteText')}</p>
    </ConfirmDialog>
  );
}

export function RemoveFactorDialog({ user, onClose }: EndUserDialogProps) {
  const { t } = useTranslation();
  const onSettled = useRefreshPeople();
  const remove = useMutation<unknown, ApiError>({
    mutationFn: () => api.remove_user_second_factor({ user_id: user.id }),
    onSuccess: onClose,
    onSettled,
  });
  return (
    <ConfirmDialog
      title={t('users.removeFactorTitle', { name: user.username })}
      confirm={t('users.removeFactor')}
      busy={remove.isPending}
      error={remove.error?.detail}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      <p>{t('users.removeFactorText')}</p>
    </ConfirmDialog>
  );
}

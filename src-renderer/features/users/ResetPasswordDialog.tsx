import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { User } from '../../../src-main/contract/schemas/user.ts';
import { ConfirmDialog } from '../../components/ConfirmDialog.tsx';
import { api } from '../../lib/api.ts';
import type { ApiError } from '../../lib/api-error.ts';
import { newPassword } from '../../lib/new-password.ts';
import { PasswordOnceDialog } from './PasswordOnceDialog.tsx';
import { useRefreshPeople } from './use-user-change.ts';

/** Creates a new password for a user and shows it once. */
export function ResetPasswordDialog({ user, onClose }: { user: User; onClose(): void }) {
  const { t } = useTranslation();
  const [password] = useState(newPassword);
  const onSettled = useRefreshPeople();
  const reset = useMutation<unknown, ApiError>({
    mutationFn: () => api.reset_user_password({ user_id: user.id, password }),
    onSettled,
  });
  if (reset.isSuccess) return <PasswordOnceDialog username={user.username} password={password} onClose={onClose} />;
  return (
    <ConfirmDialog
      title={t('users.resetTitle', { name: user.username })}
      confirm={t('users.resetConfirm')}
      busy={reset.isPending}
      error={reset.error?.detail}
      onConfirm={() => reset.mutate()}
      onClose={onClose}
    >
      <p>{t('users.resetText')}</p>
    </ConfirmDialog>
  );
}

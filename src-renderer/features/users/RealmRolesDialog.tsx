import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { REALM_ROLES } from '../../../src-main/contract/permissions.ts';
import type { User } from '../../../src-main/contract/schemas/user.ts';
import { Button } from '../../components/Button.tsx';
import { Dialog } from '../../components/Dialog.tsx';
import form from '../../components/Form.module.css';
import { Switch } from '../../components/Switch.tsx';
import { api } from '../../lib/api.ts';
import type { ApiError } from '../../lib/api-error.ts';
import { useRefreshPeople } from './use-user-change.ts';

/** Edits a user's roles for user management. */
export function RealmRolesDialog({ user, onClose }: { user: User; onClose(): void }) {
  const { t } = useTranslation();
  const [roles, setRoles] = useState<readonly string[]>(user.roles);
  const onSettled = useRefreshPeople();
  const change = useMutation<unknown, ApiError>({
    mutationFn: () => api.set_user_roles({ user_id: user.id, roles: [...roles] }),
    onSuccess: onClose,
    onSettled,
  });
  return (
    <Dialog open onClose={onClose} title={t('users.rolesTitle', { name: user.username })} testId="realm-roles-dialog">
      <div className={form.form}>
        {REALM_ROLES.map((role) => (
          <Switch
            key={role}
            label={t(`account.realmRoleNames.${role}`)}
            hint={role}
            checked={roles.includes(role)}
            onChange={(isOn) => setRoles(isOn ? [...roles, role] : roles.filter((one) => one !== role))}
            testId={`realm-${role}`}
          />
        ))}
        <p className={form.error} role="alert">
          {change.error?.detail}
        </p>
        <footer className={form.footer}>
          <Button onClick={onClose}>{t('common.cancel')}</Button>
          <Button kind="primary" disabled={change.isPending} onClick={() => change.mutate()} data-testid="save-roles">
            {t('users.save')}
          </Button>
        </footer>
      </div>
    </Dialog>
  );
}

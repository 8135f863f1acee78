import { Ellipsis, KeyRound, ListTree, Pencil, ShieldOff, Trash, UserCheck, UserCog, UserX } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { User } from '../../../src-main/contract/schemas/user.ts';
import { IconButton } from '../../components/IconButton.tsx';
import { Menu, MenuItem, MenuSeparator } from '../../components/Menu.tsx';
import { useMay } from '../../lib/account.ts';
import { DeleteUserDialog, DisableUserDialog, RemoveFactorDialog } from './EndUserDialogs.tsx';
import { RealmRolesDialog } from './RealmRolesDialog.tsx';
import { RenameUserDialog } from './RenameUserDialog.tsx';
import { ResetPasswordDialog } from './ResetPasswordDialog.tsx';
import { SessionsDialog } from './SessionsDialog.tsx';
import { useUserChange } from './use-user-change.ts';

/** Actions for a user. Users cannot disable or delete themselves. */
export function UserMenu({ user, isOwn }: { user: User; isOwn: boolean }) {
  const { t } = useTranslation();
  const may = useMay();
  const [dialog, setDialog] = useState<'rename' | 'reset' | 'roles' | 'sessions' | 'factor' | 'disable' | 'delete'>();
  const close = () => setDialog(undefined);
  const change = useUserChange();
  return (
    <>
      <Menu
        trigger={
          <IconButton
            label={t('users.menu', { name: user.username })}
            icon={<Ellipsis size={16} />}
            data-testid="user-menu"
          />
        }
      >
        <MenuItem icon={<ListTree size={14} />} onSelect={() => setDialog('sessions')}>
          {t('users.sessions')}
        </MenuItem>
        {may('update_user') && (
          <>
            <MenuItem icon={<Pencil size={14} />} onSelect={() => setDialog('rename')}>
              {t('users.rename')}
            </MenuItem>
            <MenuItem icon={<UserCog size={14} />} onSelect={() => setDialog('roles')}>
              {t('users.editRoles')}
            </MenuItem>
          </>
        )}
        {may('update_user') && !isOwn && (
          <>
            <MenuItem icon={<KeyRound size={14} />} onSelect={() => setDialog('reset')}>
              {t('users.reset')}
            </MenuItem>
            {user.has_second_factor && (
              <MenuItem icon={<ShieldOff size={14} />} onSelect={() => setDialog('factor')}>
                {t('users.removeFactor')}
              </MenuItem>
            )}
            <MenuSeparator />
            {user.enabled ? (
              <MenuItem icon={<UserX size={14} />} onSelect={() => setDialog('disable')}>
                {t('users.disable')}
              </MenuItem>
            ) : (
              <MenuItem
                icon={<UserCheck size={14} />}
                onSelect={() => change.mutate({ user_id: user.id, enabled: true })}
              >
                {t('users.enable')}
              </MenuItem>
            )}
            <MenuItem icon={<Trash size={14} />} danger onSelect={() => setDialog('delete')}>
              {t('users.delete')}
            </MenuItem>
          </>
        )}
      </Menu>
      {dialog === 'sessions' && <SessionsDialog user={user} onClose={close} />}
      {dialog === 'rename' && <RenameUserDialog user={user} onClose={close} />}
      {dialog === 'roles' && <RealmRolesDialog user={user} onClose={close} />}
      {dialog === 'reset' && <ResetPasswordDialog user={user} onClose={close} />}
      {dialog === 'factor' && <RemoveFactorDialog user={user} onClose={close} />}
      {dialog === 'disable' && <DisableUserDialog user={user} onClose={close} />}
      {dialog === 'delete' && <DeleteUserDialog user={user} onClose={close} />}
    </>
  );
}

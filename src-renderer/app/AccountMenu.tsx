import { CircleUserRound, Code, LogOut, UserRound } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../components/IconButton.tsx';
import { Menu, MenuItem, MenuSeparator } from '../components/Menu.tsx';
import { useAccount } from '../lib/account.ts';
import { navigate } from '../lib/location.ts';
import { routes } from '../lib/routes.ts';
import { signOut } from '../lib/sign-out.ts';
import styles from './Rail.module.css';

/** Account page and sign-out. Renders nothing without authentication. */
export function AccountMenu() {
  const { t } = useTranslation();
  const { data: account } = useAccount();
  if (account?.authentication !== true) return null;
  return (
    <Menu
      align="end"
      trigger={
        <IconButton
          side="right"
          className={styles.link ?? ''}
          label={t('account.named', { name: account.name })}
          icon={<CircleUserRound size={20} strokeWidth={1.5} />}
          data-testid="account-menu"
        />
      }
    >
      <MenuItem icon={<UserRound size={14} />} onSelect={() => navigate(routes.account())}>
        {t('account.title')}
      </MenuItem>
      <MenuItem icon={<Code size={14} />} onSelect={() => navigate(routes.api())}>
        {t('api.title')}
      </MenuItem>
      <MenuSeparator />
      <MenuItem icon={<LogOut size={14} />} onSelect={() => void signOut()} data-testid="menu-sign-out">
        {t('account.signOut')}
      </MenuItem>
    </Menu>
  );
}

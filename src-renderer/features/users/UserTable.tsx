import { useTranslation } from 'react-i18next';
import type { User } from '../../../src-main/contract/schemas/user.ts';
import { StateMark } from '../../components/StateMark.tsx';
import table from '../../components/Table.module.css';
import { useAccount } from '../../lib/account.ts';
import { formatAgo, formatDateTime } from '../../lib/format.ts';
import { useNow } from '../../lib/use-now.ts';
import { fullName } from './full-name.ts';
import styles from './People.module.css';
import { UserMenu } from './UserMenu.tsx';

export function UserTable({ users }: { users: readonly User[] }) {
  const { t } = useTranslation();
  return (
    <table className={`${table.table} ${table.page} ${styles.table}`} data-testid="users-table">
      <thead>
        <tr>
          <th>{t('users.username')}</th>
          <th className={styles.middle}>{t('users.name')}</th>
          <th className={styles.state}>{t('users.state')}</th>
          <th className={styles.state}>{t('users.workspaceRole')}</th>
          <th className={styles.onlyWide}>{t('users.roles')}</th>
          <th className={`${styles.time} ${styles.onlyWide}`}>{t('users.created')}</th>
          <th className={`${styles.time} ${styles.middle}`}>{t('users.lastAccess')}</th>
          <th className={styles.actions}>
            <span className="visually-hidden">{t('users.actions')}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {users.map((user) => (
          <UserRow key={user.id} user={user} />
        ))}
      </tbody>
    </table>
  );
}

function UserRow({ user }: { user: User }) {
  const { t } = useTranslation();
  const { data: account } = useAccount();
  const now = useNow(false);
  const { username, enabled, roles, workspace_role, createdTimestamp, lastAccess } = user;
  const isOwn = user.user_id === account?.user_id;
  const may = roles.join(', ');
  return (
    <tr data-testid="user-row" data-username={username}>
      <td title={username}>
        {username}
        {isOwn && <span className={styles.you}>{t('users.you')}</span>}
      </td>
      <td className={styles.middle} title={fullName(user)}>
        {fullName(user)}
      </td>
      <td className={styles.state}>
        <StateMark tone={enabled ? 'ok' : 'quiet'}>{t(enabled ? 'users.enabled' : 'users.disabled')}</StateMark>
      </td>
      <td className={styles.state}>{workspace_role !== null && t(`account.roles.${workspace_role}`)}</td>
      <td className={`${styles.quiet} ${styles.onlyWide}`} title={may}>
        {may}
      </td>
      <td className={`${styles.quiet} ${styles.time} ${styles.onlyWide}`}>
        {createdTimestamp !== null && formatDateTime(new Date(createdTimestamp).toISOString())}
      </td>
      <td className={`${styles.quiet} ${styles.time} ${styles.middle}`}>
        {lastAccess === null ? t('users.never') : formatAgo(new Date(lastAccess).toISOString(), now)}
      </td>
      <td className={styles.actions}>
        <UserMenu user={user} isOwn={isOwn} />
      </td>
    </tr>
  );
}

import { UserMinus } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { WORKSPACE_ROLES, type WorkspaceRole } from '../../../src-main/contract/permissions.ts';
import type { Member } from '../../../src-main/contract/schemas/workspace.ts';
import { IconButton } from '../../components/IconButton.tsx';
import { Segmented } from '../../components/Segmented.tsx';
import table from '../../components/Table.module.css';
import { useAccount } from '../../lib/account.ts';
import { formatDateTime } from '../../lib/format.ts';
import { fullName } from './full-name.ts';
import styles from './People.module.css';

interface MemberTableProps {
  members: readonly Member[];
  manages: boolean;
  onChange(member: Member, role: WorkspaceRole): void;
  /** Left out when there is only one workspace. */
  onRemove: ((member: Member) => void) | undefined;
}

/** Members with their roles. Roles can be changed, except one's own. */
export function MemberTable({ members, manages, onChange, onRemove }: MemberTableProps) {
  const { t } = useTranslation();
  const { data: account } = useAccount();
  const hasActions = manages && onRemove !== undefined;
  return (
    <table className={`${table.table} ${table.page} ${styles.table}`} data-testid="members-table">
      <thead>
        <tr>
          <th>{t('users.username')}</th>
          <th className={styles.middle}>{t('members.name')}</th>
          <th className={styles.onlyWide}>{t('members.email')}</th>
          <th className={styles.role}>{t('members.role')}</th>
          <th className={`${styles.time} ${styles.onlyWide}`}>{t('members.since')}</th>
          {hasActions && (
            <th className={styles.actions}>
              <span className="visually-hidden">{t('users.actions')}</span>
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {members.map((member) => {
          const { user_id, username, email, role, created_at } = member;
          const isOwn = user_id === account?.user_id;
          return (
            <tr key={user_id} data-testid="member-row" data-username={username} data-role={role}>
              <td title={username}>
                {username}
                {isOwn && <span className={styles.you}>{t('members.you')}</span>}
              </td>
              <td className={styles.middle}>{fullName(member)}</td>
              <td className={`${styles.quiet} ${styles.onlyWide}`}>{email}</td>
              <td className={styles.role}>
                {manages && !isOwn ? (
                  <Segmented
                    label={t('members.roleOf', { name: username })}
                    value={role}
                    onChange={(next) => onChange(member, next)}
                    options={WORKSPACE_ROLES.map((value) => ({ value, label: t(`account.roles.${value}`) }))}
                    testId="member-role"
                  />
                ) : (
                  t(`account.roles.${role}`)
                )}
              </td>
              <td className={`${styles.quiet} ${styles.time} ${styles.onlyWide}`}>{formatDateTime(created_at)}</td>
              {hasActions && (
                <td className={styles.actions}>
                  {!isOwn && (
                    <IconButton
                      label={t('members.removeNamed', { name: username })}
                      icon={<UserMinus size={16} />}
                      onClick={() => onRemove(member)}
                      data-testid="remove-member"
                    />
                  )}
                </td>
              )}
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

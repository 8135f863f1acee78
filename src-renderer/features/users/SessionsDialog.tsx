import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { User } from '../../../src-main/contract/schemas/user.ts';
import { Button } from '../../components/Button.tsx';
import { Dialog } from '../../components/Dialog.tsx';
import form from '../../components/Form.module.css';
import rows from '../../components/Rows.module.css';
import { Skeleton } from '../../components/Skeleton.tsx';
import { useMay } from '../../lib/account.ts';
import { api } from '../../lib/api.ts';
import type { ApiError } from '../../lib/api-error.ts';
import { formatAgo, formatDateTime } from '../../lib/format.ts';
import { useNow } from '../../lib/use-now.ts';
import { useOperation } from '../../lib/use-operation.ts';
import styles from './People.module.css';
import { useRefreshPeople } from './use-user-change.ts';

const POLL_MS = 5000;

/** Sessions of a user, which can be ended. */
export function SessionsDialog({ user, onClose }: { user: User; onClose(): void }) {
  const { t } = useTranslation();
  const may = useMay();
  const now = useNow(false);
  const { data, error } = useOperation('list_user_sessions', { user_id: user.id }, { refetchInterval: POLL_MS });
  const onSettled = useRefreshPeople();
  const logout = useMutation<unknown, ApiError>({ mutationFn: () => api.logout_user({ user_id: user.id }), onSettled });
  return (
    <Dialog open onClose={onClose} title={t('users.sessionsTitle', { name: user.username })} testId="sessions-dialog">
      <div className={form.form}>
        {data === undefined ? (
          error === null && <Skeleton style={{ height: 44, width: '100%' }} />
        ) : data.sessions.length === 0 ? (
          <p className={form.hint}>{t('users.noSessions')}</p>
        ) : (
          <ul className={`${rows.list} ${styles.rows}`}>
            {data.sessions.map(({ id, ipAddress, start, lastAccess }) => (
              <li key={id} className={rows.row} data-testid="user-session">
                <div className={rows.main}>
                  <p className={rows.name}>{ipAddress}</p>
                  <p className={`${rows.quiet} ${rows.name}`}>
                    {t('account.started', { when: formatDateTime(new Date(start).toISOString()) })},{' '}
                    {t('account.used', { when: formatAgo(new Date(lastAccess).toISOString(), now) })}
                  </p>
                </div>
              </li>
            ))}
          </ul>
        )}
        <p className={form.error} role="alert">
          {(logout.error ?? error)?.detail}
        </p>
        {may('logout_user') && data !== undefined && data.sessions.length > 0 && (
          <footer className={form.footer}>
            <Button disabled={logout.isPending} onClick={() => logout.mutate()} data-testid="logout-user">
              {t('users.logout')}
            </Button>
          </footer>
        )}
      </div>
    </Dialog>
  );
}

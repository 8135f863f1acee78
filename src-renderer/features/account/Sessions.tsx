import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../components/Button.tsx';
import { ConfirmDialog } from '../../components/ConfirmDialog.tsx';
import rows from '../../components/Rows.module.css';
import { Section } from '../../components/Section.tsx';
import { Skeleton } from '../../components/Skeleton.tsx';
import { StateMark } from '../../components/StateMark.tsx';
import { api } from '../../lib/api.ts';
import type { ApiError } from '../../lib/api-error.ts';
import { clientName } from '../../lib/client-name.ts';
import { formatAgo, formatDateTime } from '../../lib/format.ts';
import { signOut } from '../../lib/sign-out.ts';
import { useNow } from '../../lib/use-now.ts';
import { useOperation } from '../../lib/use-operation.ts';
import { useRefresh } from '../../lib/use-refresh.ts';
import styles from './AccountPage.module.css';

/** Sessions of the signed-in user. One or all of them can be ended. */
export function Sessions() {
  const { t } = useTranslation();
  const now = useNow(false);
  const [leaving, setLeaving] = useState(false);
  const { data, error } = useOperation('list_account_sessions', {});
  const refresh = useRefresh('list_account_sessions');
  const end = useMutation<unknown, ApiError, string>({
    mutationFn: (sessionId) => api.end_account_session({ session_id: sessionId }),
    onSettled: refresh,
  });
  return (
    <Section
      title={t('account.sessions')}
      text={t('account.sessionsText')}
      error={end.error ?? error}
      testId="account-sessions"
    >
      {data === undefined ? (
        error === null && <Skeleton style={{ height: 52 }} />
      ) : (
        <ul className={`${rows.list} ${styles.list}`}>
          {data.sessions.map(({ session_id, client, ip_address, started_at, last_access_at, is_current }) => {
            const name = clientName(client) ?? t('account.unknownClient');
            return (
              <li key={session_id} className={rows.row} data-testid="session-row">
                <div className={rows.main}>
                  <p className={rows.name} title={client}>
                    {name}
                  </p>
                  <p className={rows.facts}>
                    <span>{ip_address}</span>
                    <span>{t('account.started', { when: formatDateTime(started_at) })}</span>
                    <span>{t('account.used', { when: formatAgo(last_access_at, now) })}</span>
                  </p>
                </div>
                {is_current ? (
                  <StateMark tone="ok">{t('account.thisSession')}</StateMark>
                ) : (
                  <Button
                    aria-label={t('account.endNamed', { client: name })}
                    disabled={end.isPending}
                    onClick={() => end.mutate(session_id)}
                    data-testid="end-session"
                  >
                    {t('account.end')}
                  </Button>
                )}
              </li>
            );
          })}
        </ul>
      )}
      <Button onClick={() => setLeaving(true)} data-testid="sign-out-everywhere">
        {t('account.everywhere')}
      </Button>
      {leaving && <EverywhereDialog onClose={() => setLeaving(false)} />}
    </Section>
  );
}

function EverywhereDialog({ onClose }: { onClose(): void }) {
  const { t } = useTranslation();
  const leave = useMutation<unknown, ApiError>({ mutationFn: () => signOut(true) });
  return (
    <ConfirmDialog
      title={t('account.everywhereTitle')}
      confirm={t('account.everywhere')}
      busy={leave.isPending}
      error={leave.error?.detail}
      onConfirm={() => leave.mutate()}
      onClose={onClose}
    >
      <p>{t('account.everywhereText')}</p>
    </ConfirmDialog>
  );
}

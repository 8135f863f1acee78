import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { RecoveryEvent } from '../../../src-main/contract/schemas/recovery.ts';
import { Bar } from '../../components/Bar.tsx';
import { Button } from '../../components/Button.tsx';
import { Column } from '../../components/Column.tsx';
import { Page } from '../../components/Page.tsx';
import { QueryError } from '../../components/QueryError.tsx';
import { Section } from '../../components/Section.tsx';
import { api } from '../../lib/api.ts';
import type { ApiError } from '../../lib/api-error.ts';
import { formatDateTime } from '../../lib/format.ts';
import { messageText } from '../../lib/message-text.ts';
import { routes } from '../../lib/routes.ts';
import { useOperation } from '../../lib/use-operation.ts';
import { BackupSection } from './BackupSection.tsx';
import { CheckSection } from './CheckSection.tsx';
import styles from './RecoveryPage.module.css';

/** Backups, data check, and what was restored, set aside or damaged. */
export function RecoveryPage() {
  const { t } = useTranslation();
  const client = useQueryClient();
  const { data, error, refetch } = useOperation('get_recovery', {});
  const refresh = () => client.invalidateQueries({ queryKey: ['get_recovery'] });
  const acknowledge = useMutation<null, ApiError, void>({
    mutationFn: () => api.acknowledge_recovery({}),
    onSettled: refresh,
  });
  return (
    <Page bar={<Bar title={t('recovery.title')} back={routes.settings()} />} scroll>
      {error !== null && data === undefined ? (
        <QueryError error={error} onRetry={() => void refetch()} />
      ) : (
        <Column>
          <BackupSection />
          <CheckSection />
          <Section title={t('recovery.events')} text={t('recovery.eventsText')} error={acknowledge.error}>
            {data?.events.length === 0 && <p className={styles.none}>{t('recovery.none')}</p>}
            <ul className={styles.events} data-testid="recovery-events">
              {data?.events.map((event) => (
                <EventRow key={event.event_id} event={event} />
              ))}
            </ul>
            {(data?.n_new ?? 0) > 0 && (
              <div className={styles.actions}>
                <Button
                  onClick={() => acknowledge.mutate()}
                  disabled={acknowledge.isPending}
                  data-testid="recovery-read"
                >
                  {t('recovery.markRead')}
                </Button>
              </div>
            )}
          </Section>
        </Column>
      )}
    </Page>
  );
}

function EventRow({ event }: { event: RecoveryEvent }) {
  const { t } = useTranslation();
  return (
    <li className={styles.event} data-new={!event.acknowledged}>
      <span className={styles.kind}>{t(`recovery.kind.${event.kind}`)}</span>
      <span className={styles.what}>
        <strong>{event.name}</strong> {messageText(event.finding)}
      </span>
      <time className={styles.at} dateTime={event.at}>
        {formatDateTime(event.at)}
      </time>
    </li>
  );
}

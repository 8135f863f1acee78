import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ShieldCheck } from 'lucide-react';
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
import { routes } from '../../lib/routes.ts';
import { useOperation } from '../../lib/use-operation.ts';
import styles from './RecoveryPage.module.css';

/** What came back, what is set aside and what is damaged; and a check of everything. */
export function RecoveryPage() {
  const { t } = useTranslation();
  const client = useQueryClient();
  const { data, error, refetch } = useOperation('get_recovery', {});
  const refresh = () => client.invalidateQueries({ queryKey: ['get_recovery'] });
  const check = useMutation<Awaited<ReturnType<typeof api.check_data>>, ApiError, void>({
    mutationFn: () => api.check_data({}),
    onSettled: refresh,
  });
  const acknowledge = useMutation<null, ApiError, void>({
    mutationFn: () => api.acknowledge_recovery({}),
    onSettled: refresh,
  });
  const found = check.data;
  return (
    <Page bar={<Bar title={t('recovery.title')} back={routes.settings()} />} scroll>
      {error !== null && data === undefined ? (
        <QueryError error={error} onRetry={() => void refetch()} />
      ) : (
        <Column>
          <Section title={t('recovery.check')} text={t('recovery.checkText')} error={check.error}>
            <div className={styles.actions}>
              <Button
                icon={<ShieldCheck size={16} strokeWidth={1.5} />}
                disabled={check.isPending}
                onClick={() => check.mutate()}
                data-testid="check-data"
              >
                {check.isPending ? t('recovery.checking') : t('recovery.checkNow')}
              </Button>
              <span role="status" data-testid="check-result">
                {found &&
                  (found.damaged.length === 0
                    ? t('recovery.sound', { count: found.n_datasets })
                    : t('recovery.damagedFound', { count: found.damaged.length }))}
              </span>
            </div>
          </Section>
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
        <strong>{event.name}</strong> {event.detail}
      </span>
      <time className={styles.at} dateTime={event.at}>
        {formatDateTime(event.at)}
      </time>
    </li>
  );
}

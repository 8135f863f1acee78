import type { TFunction } from 'i18next';
import { Bell, X } from 'lucide-react';
import { useCallback, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Notification } from '../../../src-main/contract/schemas/notification.ts';
import { Button } from '../../components/Button.tsx';
import { IconButton } from '../../components/IconButton.tsx';
import notice from '../../components/NoticeList.module.css';
import { navigate } from '../../lib/location.ts';
import { messageText } from '../../lib/message-text.ts';
import { useOperation } from '../../lib/use-operation.ts';
import { AlertPreviews } from './AlertPreviews.tsx';
import styles from './AlertToast.module.css';
import { subjectOf } from './subject-of.ts';

const LISTED = 20;
const SHOWN_MS = 8000;

/** Shows new alerts on any screen, in the list of notices. */
export function AlertToast() {
  const { t } = useTranslation();
  const { alerts, forget } = useNewAlerts();
  const [latest] = alerts;
  useEffect(() => {
    if (latest === undefined) return;
    const timer = setTimeout(forget, SHOWN_MS);
    return () => clearTimeout(timer);
  }, [latest, forget]);
  if (latest === undefined) return null;
  const words = alerts.length > 1 ? t('alerts.several', { count: alerts.length }) : wordsOf(latest, t);
  const go = () => {
    forget();
    const address = subjectOf(latest);
    if (address !== undefined) navigate(address);
  };
  return (
    <div className={`${notice.notice} ${styles.toast}`} data-testid="alert-toast">
      {alerts.length > 1 ? <Bell size={16} /> : <AlertPreviews alert={latest} />}
      <span className={styles.words}>{words}</span>
      <Button kind="quiet" onClick={go} data-testid="alert-toast-show">
        {t('alerts.show')}
      </Button>
      <IconButton label={t('common.close')} icon={<X size={14} />} onClick={forget} />
    </div>
  );
}

function wordsOf({ entity_type, metadata, message, title }: Notification, t: TFunction): string {
  if (entity_type !== 'saved_view') return messageText(metadata.sentences?.message) ?? message ?? title;
  const { view_name: name, dataset_name: dataset, shared_by: who } = metadata;
  if (who !== null) return t('alerts.sharedIn', { who, name, dataset });
  return t('alerts.new', { name, results: t('alerts.results', { count: metadata.result_count }), dataset });
}

/** Unread alerts since the page was opened, until dismissed. Latest first. */
function useNewAlerts(): { alerts: readonly Notification[]; forget: () => void } {
  const { data } = useOperation('list_notifications', { limit: LISTED });
  /** Id of the latest alert that is not new. null if there was none. */
  const [known, setKnown] = useState<string | null | undefined>(undefined);
  const listed = data?.notifications;
  useEffect(() => {
    if (listed !== undefined) setKnown((before) => (before === undefined ? (listed[0]?.id ?? null) : before));
  }, [listed]);
  const forget = useCallback(() => setKnown(listed?.[0]?.id ?? null), [listed]);
  if (listed === undefined || known === undefined) return { alerts: [], forget };
  const at = listed.findIndex(({ id }) => id === known);
  const later = at < 0 ? listed : listed.slice(0, at);
  return { alerts: later.filter(({ read_at }) => read_at === null), forget };
}

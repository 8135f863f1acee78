import { useTranslation } from 'react-i18next';
import type { Notification } from '../../../src-main/contract/schemas/notification.ts';
import { Button } from '../../components/Button.tsx';
import { QueryError } from '../../components/QueryError.tsx';
import { Skeleton } from '../../components/Skeleton.tsx';
import { formatAgo, formatDateTime } from '../../lib/format.ts';
import { navigate } from '../../lib/location.ts';
import { messageText } from '../../lib/message-text.ts';
import { routes } from '../../lib/routes.ts';
import { useOperation } from '../../lib/use-operation.ts';
import { AlertPreviews } from './AlertPreviews.tsx';
import styles from './AlertsPanel.module.css';
import { subjectOf } from './subject-of.ts';

/** Maximum number of alerts listed. */
const LISTED = 50;

/** The latest alerts of a dataset, or of all. Each links to its subject. */
export function AlertsPanel({ datasetId, onGo }: { datasetId: string | undefined; onGo(): void }) {
  const { t } = useTranslation();
  const of = datasetId === undefined ? {} : { dataset_id: datasetId };
  const { data, error, refetch } = useOperation('list_notifications', { ...of, limit: LISTED });
  const leadTo = (address: string | undefined) => {
    onGo();
    if (address !== undefined) navigate(address);
  };
  return (
    <>
      <h2 className={styles.title}>{t('alerts.title')}</h2>
      {data === undefined &&
        (error === null ? (
          <Skeleton style={{ height: 96, margin: 12 }} />
        ) : (
          <QueryError error={error} onRetry={() => void refetch()} />
        ))}
      {data?.total === 0 && (
        <div className={styles.none}>
          <p>{t('alerts.none')}</p>
          {datasetId !== undefined && (
            <Button onClick={() => leadTo(routes.views(datasetId))} data-testid="alerts-to-views">
              {t('views.all')}
            </Button>
          )}
        </div>
      )}
      {data !== undefined && data.total > 0 && (
        <ul className={styles.list}>
          {data.notifications.map((alert) => (
            <AlertRow
              key={alert.id}
              alert={alert}
              isOfSeveral={datasetId === undefined}
              onGo={() => leadTo(subjectOf(alert))}
            />
          ))}
        </ul>
      )}
    </>
  );
}

function AlertRow({ alert, isOfSeveral, onGo }: { alert: Notification; isOfSeveral: boolean; onGo(): void }) {
  const { t } = useTranslation();
  const { metadata, message, created_at, read_at, title, entity_type } = alert;
  const { shared_by: who } = metadata;
  const name = title === '' ? metadata.view_name : (messageText(metadata.sentences?.title) ?? title);
  const isOfView = alert.entity_type === 'saved_view';
  return (
    <li>
      <button
        type="button"
        className={styles.row}
        data-unread={read_at === null}
        onClick={onGo}
        data-testid="alert-row"
      >
        <span className={styles.name} title={name}>
          {read_at === null && <span className="visually-hidden">{t('alerts.unreadMark')}</span>}
          {name}
        </span>
        <span className={styles.when} title={formatDateTime(created_at)}>
          {formatAgo(created_at, Date.now())}
        </span>
        <span className={styles.facts}>
          {!isOfView
            ? who === null
              ? (messageText(metadata.sentences?.message) ?? message)
              : t(`alerts.from.${entity_type === 'comment' ? 'comment' : 'assignment'}`, { who })
            : who === null
              ? t('alerts.results', { count: metadata.result_count })
              : t('alerts.sharedBy', { who })}
          {isOfSeveral && isOfView && ` · ${metadata.dataset_name}`}
        </span>
        {who !== null && message !== null && <span className={styles.message}>{message}</span>}
        <AlertPreviews alert={alert} />
      </button>
    </li>
  );
}

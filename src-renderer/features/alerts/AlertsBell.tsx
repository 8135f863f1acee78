import { Bell } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../../components/IconButton.tsx';
import { Popover } from '../../components/Popover.tsx';
import { useAlertsRequest } from '../../lib/alerts-request.ts';
import { api } from '../../lib/api.ts';
import { useHashPath } from '../../lib/location.ts';
import { datasetOfPath } from '../../lib/routes.ts';
import { useOperation } from '../../lib/use-operation.ts';
import { useRefresh } from '../../lib/use-refresh.ts';
import { useShortcut } from '../../lib/use-shortcut.ts';
import styles from './AlertsBell.module.css';
import { AlertsPanel } from './AlertsPanel.tsx';

/** Maximum number in the badge. */
const MAX_COUNTED = 99;

/** Alerts of the open dataset, else of all datasets. Listed alerts are marked as read when the panel closes. */
export function AlertsBell({ className }: { className: string }) {
  const { t } = useTranslation();
  const { isOpen, setOpen } = useAlertsRequest();
  const [path] = useHashPath();
  const datasetId = datasetOfPath(path);
  const of = datasetId === undefined ? {} : { dataset_id: datasetId };
  const { data } = useOperation('count_unread_notifications', of);
  const refresh = useRefresh('list_notifications', 'count_unread_notifications');
  const unread = data?.count ?? 0;
  const change = (next: boolean) => {
    setOpen(next);
    if (!next && unread > 0) void api.read_all_notifications(of).then(refresh, refresh);
  };
  useShortcut('u', () => setOpen(true));
  return (
    <Popover
      open={isOpen}
      onOpenChange={change}
      label={t('alerts.title')}
      trigger={
        <IconButton
          side="right"
          shortcut="U"
          className={`${className} ${styles.bell}`}
          label={unread > 0 ? t('alerts.unread', { count: unread }) : t('alerts.title')}
          icon={
            <>
              <Bell size={20} strokeWidth={1.5} />
              {unread > 0 && (
                <span className={styles.badge} aria-hidden="true" data-testid="alerts-badge">
                  {unread > MAX_COUNTED ? `${MAX_COUNTED}+` : unread}
                </span>
              )}
            </>
          }
          data-testid="alerts-bell"
        />
      }
      testId="alerts-panel"
      side="right"
      wide
    >
      <AlertsPanel datasetId={datasetId} onGo={() => change(false)} />
    </Popover>
  );
}

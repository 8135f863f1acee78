import type { TFunction } from 'i18next';
import {
  Bell,
  BellOff,
  ChevronDown,
  ChevronRight,
  ListChecks,
  Pause,
  Play,
  Search,
  Share2,
  Trash,
  UserCheck,
} from 'lucide-react';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { View } from '../../../src-main/contract/schemas/view.ts';
import { AssignDialog } from '../../components/AssignDialog.tsx';
import { ConfirmDialog } from '../../components/ConfirmDialog.tsx';
import { IconButton } from '../../components/IconButton.tsx';
import { Thumb } from '../../components/Thumb.tsx';
import { useSeen } from '../../components/use-seen.ts';
import { useIsShared } from '../../lib/account.ts';
import { useMayOn } from '../../lib/datasets.ts';
import { formatAgo, formatDateTime } from '../../lib/format.ts';
import { navigate, useHashPath } from '../../lib/location.ts';
import { messageText } from '../../lib/message-text.ts';
import { useOpenedViews } from '../../lib/opened-views.ts';
import { reviewOfView } from '../../lib/review.ts';
import { routes } from '../../lib/routes.ts';
import { placeOfView } from '../../lib/view-place.ts';
import { ShareViewDialog } from './ShareViewDialog.tsx';
import { TrendBars } from './TrendBars.tsx';
import { useViewActions } from './use-view-actions.ts';
import { useViewMatches } from './use-view-matches.ts';
import { ViewBadges } from './ViewBadges.tsx';
import { ViewDetails } from './ViewDetails.tsx';
import styles from './ViewRow.module.css';

/** Number of matches shown in the row. */
const SHOWN = 4;

/** One view: query, results and actions. Expanded, it shows trend and matches. */
export function ViewRow({ view }: { view: View }) {
  const { t } = useTranslation();
  const [asking, setAsking] = useState(false);
  const [sharing, setSharing] = useState(false);
  const [assigning, setAssigning] = useState(false);
  const [open, setOpen] = useState(false);
  const [ref, seen] = useSeen();
  const details = useId();
  const { alert, monitor, remove } = useViewActions(view);
  const error = alert.error ?? monitor.error;
  const may = useMayOn(view.dataset_id);
  const hasOthers = useIsShared();
  const address = routes.explore(view.dataset_id, placeOfView(view));
  const remember = useOpenedViews((views) => views.open);
  const isWatched = view.monitoring_enabled;
  return (
    <li className={styles.item} ref={ref} data-testid="view-row">
      <div className={styles.row}>
        <IconButton
          label={open ? t('views.fold') : t('views.unfold')}
          icon={open ? <ChevronDown size={16} /> : <ChevronRight size={16} />}
          aria-expanded={open}
          aria-controls={open ? details : undefined}
          onClick={() => setOpen(!open)}
          data-testid="view-toggle"
        />
        <div className={styles.main}>
          <a
            className={styles.name}
            href={useHashPath.hrefs(address)}
            title={view.name}
            onClick={() => remember(view.dataset_id, view.id)}
          >
            {view.name}
          </a>
          {!open && <ViewBadges view={view} />}
          {view.failure && <p className={styles.problem}>{t('views.problem', { why: messageText(view.failure) })}</p>}
          {error !== null && (
            <p className={styles.problem} role="alert">
              {error.detail}
            </p>
          )}
        </div>
        {!open && <Matches view={view} seen={seen} />}
        {!open && (
          <div className={styles.trend}>{isWatched && view.stats.n_images >= 0 && <TrendBars view={view} />}</div>
        )}
        <div className={styles.totals}>
          <span className={styles.total}>{t('views.total', { count: view.total_results })}</span>
          <span
            className={styles.facts}
            title={view.last_results === null ? undefined : formatDateTime(view.last_results)}
          >
            {stateOf(view, t)}
          </span>
        </div>
        <div className={styles.actions}>
          <IconButton
            label={t('views.explore')}
            icon={<Search size={16} />}
            onClick={() => {
              remember(view.dataset_id, view.id);
              navigate(address);
            }}
            data-testid="explore-view"
          />
          {may('decide_review') && view.filters.entity_type !== 'VIDEOS' && (
            <IconButton
              label={t('review.action')}
              icon={<ListChecks size={16} />}
              onClick={() => navigate(reviewOfView(view))}
              data-testid="review-view"
            />
          )}
          {hasOthers && may('assign_items') && view.filters.caption === null && (
            <IconButton
              label={t('assign.action')}
              icon={<UserCheck size={16} />}
              onClick={() => setAssigning(true)}
              data-testid="assign-view"
            />
          )}
          {assigning && (
            <AssignDialog
              datasetId={view.dataset_id}
              title={view.name}
              query={{ entity_type: view.filters.entity_type, vql: JSON.stringify(view.filters.vql) }}
              onClose={() => setAssigning(false)}
            />
          )}
          {may('set_view_monitoring') && (
            <IconButton
              label={isWatched ? t('views.pause') : t('views.resume')}
              icon={isWatched ? <Pause size={16} /> : <Play size={16} />}
              disabled={monitor.isPending}
              onClick={() => monitor.mutate(!isWatched)}
              data-testid="view-monitoring"
            />
          )}
          {may('set_view_alerting') && (
            <IconButton
              label={view.alerting_enabled ? t('views.mute') : t('views.alert')}
              icon={view.alerting_enabled && isWatched ? <Bell size={16} /> : <BellOff size={16} />}
              pressed={view.alerting_enabled && isWatched}
              disabled={alert.isPending || !isWatched}
              onClick={() => alert.mutate(!view.alerting_enabled)}
              data-testid="view-alerting"
            />
          )}
          {hasOthers && may('share_view') && (
            <IconButton
              label={t('views.share')}
              icon={<Share2 size={16} />}
              onClick={() => setSharing(true)}
              data-testid="share-view"
            />
          )}
          {may('delete_view') && (
            <IconButton
              label={t('views.delete')}
              icon={<Trash size={16} />}
              onClick={() => setAsking(true)}
              data-testid="delete-view"
            />
          )}
        </div>
      </div>
      {open && <ViewDetails id={details} view={view} />}
      {sharing && <ShareViewDialog view={view} onClose={() => setSharing(false)} />}
      {asking && (
        <ConfirmDialog
          title={t('views.deleteTitle')}
          confirm={t('views.deleteConfirm')}
          busy={remove.isPending}
          error={remove.error?.detail}
          onConfirm={() => remove.mutate(undefined, { onSuccess: () => setAsking(false) })}
          onClose={() => setAsking(false)}
        >
          <p>{t('views.deleteText', { name: view.name })}</p>
        </ConfirmDialog>
      )}
    </li>
  );
}

/** The latest matches. Their boxes have a fixed size from the start, so that nothing moves. */
function Matches({ view, seen }: { view: View; seen: boolean }) {
  const { data } = useViewMatches(view, seen);
  return (
    <div className={styles.matches} data-testid="view-matches" aria-hidden="true">
      {data?.items.slice(0, SHOWN).map(({ media_id, media_thumb_uri }) => (
        <Thumb key={media_id} src={media_thumb_uri} className={styles.match} />
      ))}
    </div>
  );
}

function stateOf({ stats, last_results, monitoring_enabled }: View, t: TFunction): string {
  if (!monitoring_enabled) return t('views.paused');
  if (stats.n_images < 0) return t('views.notYet');
  if (last_results === null) return t('views.nothingYet');
  return t('views.lastResult', { when: formatAgo(last_results, Date.now()) });
}

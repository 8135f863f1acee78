import type { TFunction } from 'i18next';
import { Bell, BellOff, Search, Trash } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { View } from '../../../src-main/contract/schemas/view.ts';
import { ConfirmDialog } from '../../components/ConfirmDialog.tsx';
import { IconButton } from '../../components/IconButton.tsx';
import type { PlaceFilter } from '../../lib/filters.ts';
import { formatAgo, formatDateTime } from '../../lib/format.ts';
import { navigate, useHashPath } from '../../lib/location.ts';
import { routes } from '../../lib/routes.ts';
import { useFilterWords } from '../../lib/use-filter-words.ts';
import { placeOfView } from '../../lib/view-place.ts';
import { TrendBars } from './TrendBars.tsx';
import { useViewActions } from './use-view-actions.ts';
import styles from './ViewsPage.module.css';

/** One view: what it asks for, what came of it, and what can be done with it. */
export function ViewRow({ view }: { view: View }) {
  const { t } = useTranslation();
  const [asking, setAsking] = useState(false);
  const { alert, remove } = useViewActions(view);
  const address = routes.explore(view.dataset_id, placeOfView(view));
  return (
    <li className={styles.row} data-testid="view-row">
      <div className={styles.main}>
        <a className={styles.name} href={useHashPath.hrefs(address)} title={view.name}>
          {view.name}
        </a>
        <Badges view={view} />
        <p className={styles.facts}>
          {t('views.created', { when: formatAgo(view.created_at, Date.now()), who: view.created_by.name })}
        </p>
        {view.problem !== null && <p className={styles.problem}>{t('views.problem', { why: view.problem })}</p>}
        {alert.error !== null && (
          <p className={styles.problem} role="alert">
            {alert.error.detail}
          </p>
        )}
      </div>
      <TrendBars view={view} />
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
          onClick={() => navigate(address)}
          data-testid="explore-view"
        />
        <IconButton
          label={view.alerting_enabled ? t('views.mute') : t('views.alert')}
          icon={view.alerting_enabled ? <Bell size={16} /> : <BellOff size={16} />}
          pressed={view.alerting_enabled}
          disabled={alert.isPending || !view.monitoring_enabled}
          onClick={() => alert.mutate(!view.alerting_enabled)}
          data-testid="view-alerting"
        />
        <IconButton
          label={t('views.delete')}
          icon={<Trash size={16} />}
          onClick={() => setAsking(true)}
          data-testid="delete-view"
        />
      </div>
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

function stateOf({ stats, last_results }: View, t: TFunction): string {
  if (stats.n_images < 0) return t('views.notYet');
  if (last_results === null) return t('views.nothingYet');
  return t('views.lastResult', { when: formatAgo(last_results, Date.now()) });
}

/** What a view asks for, in words. */
function Badges({ view: { dataset_id, filters } }: { view: View }) {
  const { t } = useTranslation();
  const wordsOf = useFilterWords(dataset_id);
  const badges = [
    ...(filters.entity_type === 'IMAGES' ? [] : [{ kind: '', words: t(`explore.views.${filters.entity_type}`) }]),
    ...(filters.caption === null
      ? []
      : [{ kind: t('views.caption'), words: t('search.quoted', { text: filters.caption }) }]),
    ...(filters.vql as PlaceFilter[]).map(wordsOf),
  ];
  const shown = badges.length === 0 ? [{ kind: '', words: t('views.everything') }] : badges;
  return (
    <div className={styles.badges}>
      {shown.map(({ kind, words }) => (
        <span key={`${kind} ${words}`} className={styles.badge} title={`${kind} ${words}`.trim()}>
          {kind !== '' && <span className={styles.kind}>{kind}</span>}
          <span className={styles.words}>{words}</span>
        </span>
      ))}
    </div>
  );
}

import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Preview } from '../../../src-main/contract/schemas/explore.ts';
import type { View } from '../../../src-main/contract/schemas/view.ts';
import { QueryError } from '../../components/QueryError.tsx';
import { Skeleton } from '../../components/Skeleton.tsx';
import { Thumb } from '../../components/Thumb.tsx';
import { TimeMark } from '../../components/TimeMark.tsx';
import { formatAgo, formatDateTime } from '../../lib/format.ts';
import { itemName } from '../../lib/item-name.ts';
import { linkTo, routes } from '../../lib/routes.ts';
import { placeOfView } from '../../lib/view-place.ts';
import { TrendBars } from './TrendBars.tsx';
import { useViewMatches } from './use-view-matches.ts';
import { ViewBadges } from './ViewBadges.tsx';
import styles from './ViewDetails.module.css';

/** Details below a view's row: query, results per batch and matches. */
export function ViewDetails({ id, view }: { id: string; view: View }) {
  const { t } = useTranslation();
  const since = { when: formatDateTime(view.monitoring_started_at) };
  return (
    <div id={id} className={styles.details} data-testid="view-details">
      <Part title={t('views.query')}>
        <ViewBadges view={view} />
        <p className={styles.facts}>
          {view.monitoring_enabled ? t('views.watchedSince', since) : t('views.pausedText')}{' '}
          {t('views.created', { when: formatAgo(view.created_at, Date.now()), who: view.created_by.name })}
        </p>
      </Part>
      {view.monitoring_enabled && view.stats.n_images >= 0 && (
        <Part title={t('views.trend')}>
          <TrendBars view={view} large />
        </Part>
      )}
      <Part title={t('views.matches')}>
        <Matches view={view} />
      </Part>
    </div>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={styles.part}>
      <h3 className={styles.title}>{title}</h3>
      {children}
    </section>
  );
}

function Matches({ view }: { view: View }) {
  const { t } = useTranslation();
  const { data, error, refetch } = useViewMatches(view, true);
  const place = placeOfView(view);
  const addressOf = ({ image_id, media_id }: Preview) =>
    routes.item(view.dataset_id, image_id, { ...place, object: media_id === image_id ? undefined : media_id });
  if (error !== null) return <QueryError error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Skeleton style={{ height: 72 }} />;
  if (data.total === 0) return <p className={styles.facts}>{t('views.noMatches')}</p>;
  return (
    <ul className={styles.matches}>
      {data.items.map((item) => (
        <li key={item.media_id}>
          <a className={styles.match} href={linkTo(addressOf(item))} title={itemName(item)}>
            <Thumb src={item.media_thumb_uri} alt={itemName(item)} />
            <TimeMark item={item} />
          </a>
        </li>
      ))}
    </ul>
  );
}

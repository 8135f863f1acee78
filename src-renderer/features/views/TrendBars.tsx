import { useTranslation } from 'react-i18next';
import type { View } from '../../../src-main/contract/schemas/view.ts';
import { formatDateTime } from '../../lib/format.ts';
import { useOperation } from '../../lib/use-operation.ts';
import styles from './TrendBars.module.css';

const SHOWN = 8;

/** What each of the last batches brought, the newest at the right. */
export function TrendBars({ view }: { view: View }) {
  const { t } = useTranslation();
  const { data } = useOperation(
    'get_view_trend',
    { dataset_id: view.dataset_id, view_id: view.id },
    { enabled: view.monitoring_enabled },
  );
  const points = data?.points.slice(-SHOWN) ?? [];
  const most = Math.max(1, ...points.map(({ count }) => count));
  return (
    <ol className={styles.bars} aria-label={t('views.trend')} data-testid="trend">
      {points.map(({ batch_id, timestamp, count, cumulative }) => {
        const words = t('views.point', { when: formatDateTime(timestamp), count, total: cumulative });
        return (
          <li key={batch_id} className={styles.slot} title={words}>
            <span className="visually-hidden">{words}</span>
            <span className={styles.bar} data-empty={count === 0} style={{ height: `${(count / most) * 100}%` }} />
          </li>
        );
      })}
    </ol>
  );
}

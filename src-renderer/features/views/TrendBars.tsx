import { useTranslation } from 'react-i18next';
import type { View } from '../../../src-main/contract/schemas/view.ts';
import { formatCount, formatDateTime, formatMoment } from '../../lib/format.ts';
import { useOperation } from '../../lib/use-operation.ts';
import styles from './TrendBars.module.css';

const SHOWN = 8;

/** New results per batch, newest at the right. Large bars show count and date. */
export function TrendBars({ view, large = false }: { view: View; large?: boolean }) {
  const { t } = useTranslation();
  const { data } = useOperation('get_view_trend', { dataset_id: view.dataset_id, view_id: view.id });
  const points = data?.points.slice(-SHOWN) ?? [];
  const most = Math.max(1, ...points.map(({ count }) => count));
  return (
    <ol className={styles.bars} data-large={large} aria-label={t('views.trend')} data-testid="trend">
      {points.map(({ batch_id, timestamp, count, cumulative }) => {
        const words = t('views.point', { when: formatDateTime(timestamp), count, total: cumulative });
        return (
          <li key={batch_id} className={styles.slot} title={words}>
            <span className="visually-hidden">{words}</span>
            {large && (
              <span className={styles.word} aria-hidden="true">
                {formatCount(count)}
              </span>
            )}
            <span className={styles.ground}>
              <span className={styles.bar} data-empty={count === 0} style={{ height: `${(count / most) * 100}%` }} />
            </span>
            {large && (
              <span className={styles.word} aria-hidden="true">
                {formatMoment(timestamp, Date.now())}
              </span>
            )}
          </li>
        );
      })}
    </ol>
  );
}

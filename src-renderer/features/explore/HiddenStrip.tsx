import { EyeOff } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../components/Button.tsx';
import { navigate } from '../../lib/location.ts';
import { type Place, routes } from '../../lib/routes.ts';
import styles from './DatasetStrip.module.css';
import { Strip } from './DatasetStrip.tsx';

/** Above clusters of which some are hidden: their number, and the way to them or back. */
export function HiddenStrip({ datasetId, place, count }: { datasetId: string; place: Place; count: number }) {
  const { t } = useTranslation();
  const { hidden = false } = place;
  if (count === 0 && !hidden) return null;
  return (
    <Strip testId="hidden-strip" icon={<EyeOff size={14} aria-hidden="true" />}>
      <span className={styles.main}>{t('cluster.hidden', { count })}</span>
      <Button
        onClick={() => navigate(routes.explore(datasetId, { ...place, hidden: !hidden }))}
        data-testid="toggle-hidden"
      >
        {t(hidden ? 'cluster.showOthers' : 'cluster.showHidden')}
      </Button>
    </Strip>
  );
}

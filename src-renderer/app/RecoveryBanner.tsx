import { LifeBuoy } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useHashPath } from '../lib/location.ts';
import { routes } from '../lib/routes.ts';
import { useOperation } from '../lib/use-operation.ts';
import styles from './RecoveryBanner.module.css';

/** Says over every screen that something was found damaged or brought back, until somebody has read it. */
export function RecoveryBanner() {
  const { t } = useTranslation();
  const [path] = useHashPath();
  const { data } = useOperation('get_recovery', {});
  if (data === undefined || data.n_new === 0 || path === routes.recovery()) return null;
  return (
    <div className={styles.banner} role="status" data-testid="recovery-banner">
      <LifeBuoy size={16} strokeWidth={1.5} aria-hidden="true" />
      <span className={styles.text}>{t('recovery.banner', { count: data.n_new })}</span>
      <a className={styles.link} href={useHashPath.hrefs(routes.recovery())}>
        {t('recovery.bannerLink')}
      </a>
    </div>
  );
}

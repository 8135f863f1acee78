import { LifeBuoy } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Banner } from '../components/Banner.tsx';
import { useMay } from '../lib/account.ts';
import { useHashPath } from '../lib/location.ts';
import { routes } from '../lib/routes.ts';
import { useOperation } from '../lib/use-operation.ts';
import styles from './RecoveryBanner.module.css';

/** A banner about data that was damaged or restored, until it is marked as read. */
export function RecoveryBanner() {
  const { t } = useTranslation();
  const [path] = useHashPath();
  const enabled = useMay()('get_recovery');
  const { data } = useOperation('get_recovery', {}, { enabled });
  if (data === undefined || data.n_new === 0 || path === routes.recovery()) return null;
  return (
    <Banner
      role="status"
      testId="recovery-banner"
      icon={<LifeBuoy size={16} strokeWidth={1.5} aria-hidden="true" />}
      text={t('recovery.banner', { count: data.n_new })}
    >
      <a className={styles.link} href={useHashPath.hrefs(routes.recovery())}>
        {t('recovery.bannerLink')}
      </a>
    </Banner>
  );
}

import { Unplug } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Button } from '../components/Button.tsx';
import { api } from '../lib/api.ts';
import { useConnection } from '../lib/connection.ts';
import styles from './ConnectionBanner.module.css';

/** Says over every screen that the core does not answer, until it does. */
export function ConnectionBanner() {
  const { t } = useTranslation();
  const away = useConnection((state) => state.away);
  if (!away) return null;
  return (
    <div className={styles.banner} role="alert" data-testid="connection-banner">
      <Unplug size={16} strokeWidth={1.5} aria-hidden="true" />
      <span className={styles.text}>{t('error.away')}</span>
      <Button onClick={() => void api.healthcheck({}).catch(() => undefined)}>{t('error.tryNow')}</Button>
    </div>
  );
}

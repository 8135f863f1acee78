import { Unplug } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Banner } from '../components/Banner.tsx';
import { Button } from '../components/Button.tsx';
import { api } from '../lib/api.ts';
import { useConnection } from '../lib/connection.ts';

/** A banner while the server does not respond. */
export function ConnectionBanner() {
  const { t } = useTranslation();
  const away = useConnection((state) => state.away);
  if (!away) return null;
  return (
    <Banner
      role="alert"
      testId="connection-banner"
      icon={<Unplug size={16} strokeWidth={1.5} aria-hidden="true" />}
      text={t('error.away')}
    >
      <Button onClick={() => void api.healthcheck({}).catch(() => undefined)}>{t('error.tryNow')}</Button>
    </Banner>
  );
}

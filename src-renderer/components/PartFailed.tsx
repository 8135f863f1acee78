import { CircleAlert } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useConnection } from '../lib/connection.ts';
import type { Paged } from '../lib/use-paged.ts';
import { Banner } from './Banner.tsx';
import { Button } from './Button.tsx';
import styles from './PartFailed.module.css';

/** A banner over a list whose page could not be loaded. After a lost connection, all pages are loaded again. */
export function PartFailed({ list }: { list: Pick<Paged<unknown>, 'error' | 'retry'> }) {
  const { t } = useTranslation();
  const away = useConnection((connection) => connection.away);
  if (list.error === null || away) return null;
  return (
    <div className={styles.float}>
      <Banner
        role="status"
        testId="part-failed"
        icon={<CircleAlert size={16} strokeWidth={1.5} aria-hidden="true" />}
        text={t('error.part', { detail: list.error.detail })}
      >
        <Button onClick={list.retry}>{t('common.retry')}</Button>
      </Banner>
    </div>
  );
}

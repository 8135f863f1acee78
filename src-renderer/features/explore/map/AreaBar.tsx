import { Filter, X } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../../components/Button.tsx';
import { IconButton } from '../../../components/IconButton.tsx';
import styles from './MapLayout.module.css';
import type { DrawnArea } from './use-area.ts';

/** Actions for the drawn area, beside those for the selection. */
export function AreaBar({ area }: { area: DrawnArea }) {
  const { t } = useTranslation();
  if (area.shown === undefined && area.error === undefined) return null;
  return (
    <div className={styles.areaBar} role="status">
      {area.error?.detail}
      {area.shown !== undefined && (
        <Button icon={<Filter size={14} />} onClick={area.filter} data-testid="filter-by-area">
          {t('map.filter')}
        </Button>
      )}
      {area.error !== undefined && (
        <IconButton label={t('common.close')} icon={<X size={14} />} onClick={area.forgetError} />
      )}
    </div>
  );
}

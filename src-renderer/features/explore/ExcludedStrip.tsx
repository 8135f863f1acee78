import { EyeOff, RotateCcw } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../components/Button.tsx';
import { TrashButton } from '../../components/TrashButton.tsx';
import { useMayOn } from '../../lib/datasets.ts';
import { queryOf } from '../../lib/explore-source.ts';
import type { Place } from '../../lib/routes.ts';
import { useEdits } from '../../lib/use-edits.ts';
import styles from './DatasetStrip.module.css';
import { Strip } from './DatasetStrip.tsx';

/** Above a list of excluded items: their number, and buttons that restore them or move their files to the trash. */
export function ExcludedStrip({ datasetId, place, count }: { datasetId: string; place: Place; count: number }) {
  const { t } = useTranslation();
  const edits = useEdits(datasetId);
  const may = useMayOn(datasetId)('include');
  if (count === 0) return null;
  return (
    <Strip testId="excluded-strip" icon={<EyeOff size={14} aria-hidden="true" />}>
      <span className={styles.main}>{t('excluded.count', { count })}</span>
      <TrashButton datasetId={datasetId} query={queryOf(place)} />
      {may && (
        <Button
          icon={<RotateCcw size={14} />}
          disabled={edits.isPending}
          onClick={() => edits.include([{ type: 'query', payload: { ...queryOf(place), exclude_media_ids: [] } }])}
          data-testid="restore-all"
        >
          {t('excluded.restoreAll')}
        </Button>
      )}
    </Strip>
  );
}

import { Tag } from 'lucide-react';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../components/Button.tsx';
import { Popover } from '../../components/Popover.tsx';
import { navigate } from '../../lib/location.ts';
import { type Place, routes } from '../../lib/routes.ts';
import { LabelChoice } from './LabelChoice.tsx';

interface LabelFilterProps {
  datasetId: string;
  place: Place;
  open: boolean;
  onOpenChange(open: boolean): void;
}

/** Filters by labels. All changes made while it is open are one history entry. */
export function LabelFilter({ datasetId, place, open, onOpenChange }: LabelFilterProps) {
  const { t } = useTranslation();
  const changed = useRef(false);
  const change = (filter: Pick<Place, 'labels' | 'labelMode'>) => {
    navigate(routes.explore(datasetId, { ...place, ...filter }), { replace: changed.current });
    changed.current = true;
  };
  return (
    <Popover
      open={open}
      onOpenChange={(next) => {
        changed.current = false;
        onOpenChange(next);
      }}
      label={t('labels.title')}
      trigger={
        <Button icon={<Tag size={14} />} aria-label={t('labels.title')} data-testid="label-filter">
          {t('labels.open')}
        </Button>
      }
      testId="label-popover"
    >
      <LabelChoice datasetId={datasetId} place={place} onChange={change} />
    </Popover>
  );
}

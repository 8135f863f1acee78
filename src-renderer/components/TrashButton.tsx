import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useMayOn } from '../lib/datasets.ts';
import type { TrashQuery } from '../lib/trash.ts';
import { Button } from './Button.tsx';
import { TrashDialog } from './TrashDialog.tsx';

/** In the desktop app, moves the original files of a query's items to the system's trash. */
export function TrashButton({ datasetId, query }: { datasetId: string; query: TrashQuery }) {
  const { t } = useTranslation();
  const may = useMayOn(datasetId)('exclude');
  const [isOpen, setIsOpen] = useState(false);
  const bridge = window.vitrine;
  if (bridge === undefined || !may || query.entity_type !== 'IMAGES') return null;
  return (
    <>
      <Button
        icon={<Trash2 size={14} />}
        title={t('trash.action')}
        onClick={() => setIsOpen(true)}
        data-testid="move-to-trash"
      >
        {t('trash.action')}
      </Button>
      {isOpen && <TrashDialog datasetId={datasetId} query={query} bridge={bridge} onClose={() => setIsOpen(false)} />}
    </>
  );
}

import { useTranslation } from 'react-i18next';
import { EditList } from '../../components/EditList.tsx';
import { useMayOn } from '../../lib/datasets.ts';
import type { Edits } from '../../lib/use-edits.ts';
import { useOperation } from '../../lib/use-operation.ts';
import { DetailsSection } from './DetailsSection.tsx';

interface ItemEditsProps {
  datasetId: string;
  imageId: string;
  edits: Edits;
}

/** The latest edits that changed an item or its objects. Undo takes back a whole edit, with its other items. */
export function ItemEdits({ datasetId, imageId, edits }: ItemEditsProps) {
  const { t } = useTranslation();
  const may = useMayOn(datasetId)('list_edits');
  const { data: list = [] } = useOperation(
    'list_edits',
    { dataset_id: datasetId, media_id: imageId },
    { enabled: may },
  );
  if (list.length === 0) return null;
  return (
    <DetailsSection title={t('edits.title')} count={list.length} testId="item-edits">
      <EditList datasetId={datasetId} list={list} edits={edits} />
    </DetailsSection>
  );
}

import { useTranslation } from 'react-i18next';
import { ChangeableChip, type FilterChipProps } from './ChangeableChip.tsx';
import { FilterForm } from './FilterForm.tsx';
import type { Subject } from './filter-draft.ts';

/** A filter by bounds or by a custom field, which is changed in a form. */
export function FormChip({ subject, ...props }: FilterChipProps & { subject: Subject }) {
  const { t } = useTranslation();
  const { datasetId, place, filter } = props;
  return (
    <ChangeableChip {...props} label={t('search.changeFilter')} testId="change-filter">
      {(change) => (
        <FilterForm
          datasetId={datasetId}
          type={place.type}
          subject={subject}
          filter={filter}
          action={t('fields.change')}
          onApply={change}
        />
      )}
    </ChangeableChip>
  );
}

import { useTranslation } from 'react-i18next';
import { isRanked } from '../../../lib/explore-source.ts';
import { useFields } from '../../../lib/fields.ts';
import { usePreferences } from '../../../lib/preferences.ts';
import type { Place } from '../../../lib/routes.ts';
import { columnsOf, HIDDEN_AT_FIRST, type ItemColumn } from './columns.ts';

/** The columns of the table, and those that the user shows. The name is always shown. */
export function useColumns(datasetId: string, place: Place): { all: ItemColumn[]; shown: ItemColumn[] } {
  const { t } = useTranslation();
  const { data: fields = [] } = useFields(datasetId);
  const hidden = usePreferences((state) => state.hiddenColumns) ?? HIDDEN_AT_FIRST;
  const all = columnsOf(t, { type: place.type, isScored: isRanked(place), fields });
  return { all, shown: all.filter(({ key }, nth) => nth === 0 || !hidden.includes(key)) };
}

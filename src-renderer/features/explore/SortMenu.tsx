import { ArrowDownUp } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { ISSUES, type IssueName } from '../../../src-main/contract/schemas/issues.ts';
import { Button } from '../../components/Button.tsx';
import { Menu, MenuChoice, MenuSeparator } from '../../components/Menu.tsx';
import { isRanked } from '../../lib/explore-source.ts';
import { useFields } from '../../lib/fields.ts';
import { navigate } from '../../lib/location.ts';
import { usePreferences } from '../../lib/preferences.ts';
import { FLAT_SORTS, type FlatSort, type Place, routes } from '../../lib/routes.ts';
import styles from './SortMenu.module.css';

/** Order of search results without another one. */
const BEST = 'best';
const FIELD = 'field:';

/** Orders a flat list or the table by any field, and says how close its tiles or rows are. */
export function SortMenu({ datasetId, place }: { datasetId: string; place: Place }) {
  const { t } = useTranslation();
  const { data: fields = [] } = useFields(datasetId);
  const { density, set } = usePreferences();
  const { flat, sortField, descending = false, type } = place;
  const go = (change: Partial<Place>) =>
    navigate(routes.explore(datasetId, { ...place, ...change }), { replace: true });
  const nameOf = (sort: FlatSort) =>
    sort === 'similarity' && place.cluster !== undefined && !place.table
      ? t('flat.typical')
      : isIssue(sort)
        ? t(`issues.names.${sort}`)
        : sort === 'metadata'
          ? (sortField ?? '')
          : t(`flat.sorts.${sort}`);
  const first = isRanked(place) ? BEST : 'similarity';
  const offered = FLAT_SORTS.filter((sort) => {
    if (sort === 'metadata' || (sort === 'similarity' && first === BEST)) return false;
    if (sort === 'confidence') return type === 'OBJECTS';
    return !isIssue(sort) || sort === flat;
  });
  const value = flat === 'metadata' ? `${FIELD}${sortField}` : (flat ?? first);
  const choose = (next: string) => {
    if (next === BEST) return go({ flat: undefined, sortField: undefined, descending: false });
    if (next.startsWith(FIELD)) return go({ flat: 'metadata', sortField: next.slice(FIELD.length) });
    const sort = offered.find((one) => one === next);
    if (sort !== undefined) go({ flat: sort, sortField: undefined });
  };
  return (
    <Menu
      trigger={
        <Button icon={<ArrowDownUp size={14} />} className={styles.sort} data-testid="sort">
          {flat === undefined && first === BEST ? t('flat.best') : nameOf(flat ?? 'similarity')}
        </Button>
      }
    >
      <MenuChoice
        value={value}
        options={[
          ...(first === BEST ? [{ value: BEST, label: t('flat.best') }] : []),
          ...offered.map((sort) => ({ value: sort as string, label: nameOf(sort) })),
          ...fields.map(({ field_name }) => ({ value: `${FIELD}${field_name}`, label: field_name })),
        ]}
        onChange={choose}
      />
      <MenuSeparator />
      {value !== BEST && (
        <>
          <MenuChoice
            value={descending ? 'desc' : 'asc'}
            options={[
              { value: 'asc', label: t('flat.ascending') },
              { value: 'desc', label: t('flat.descending') },
            ]}
            onChange={(order) => go({ flat: flat ?? 'similarity', descending: order === 'desc' })}
          />
          <MenuSeparator />
        </>
      )}
      <MenuChoice
        value={density}
        options={[
          { value: 'comfortable', label: t('settings.densities.comfortable') },
          { value: 'compact', label: t('settings.densities.compact') },
        ]}
        onChange={(next) => set({ density: next })}
      />
    </Menu>
  );
}

function isIssue(sort: FlatSort): sort is IssueName {
  return ISSUES.some((issue) => issue === sort);
}

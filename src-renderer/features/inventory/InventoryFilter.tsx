import { FilterX, ListFilter } from 'lucide-react';
import { Fragment } from 'react';
import { useTranslation } from 'react-i18next';
import type { Dataset } from '../../../src-main/contract/schemas/dataset.ts';
import { IconButton } from '../../components/IconButton.tsx';
import { Menu, MenuHeading, MenuItem, MenuSeparator, MenuToggle } from '../../components/Menu.tsx';
import { formatCount } from '../../lib/format.ts';
import styles from './InventoryPage.module.css';
import { countFilters, FACETS, type Facet, NO_FILTERS, useInventory } from './inventory.store.ts';

const HEADINGS = {
  state: 'inventory.state',
  owner: 'inventory.owner',
  media: 'inventory.contents',
  source: 'inventory.source',
} as const satisfies Record<Facet, string>;

/** Filters the datasets by facets of which they have more than one value. Renders nothing without such a facet. */
export function InventoryFilter({ datasets }: { datasets: readonly Dataset[] }) {
  const { t } = useTranslation();
  const { filters, set } = useInventory();
  const nameOf = useValueName();
  const groups = FACETS.flatMap(({ facet, values, of }) => {
    const counts = values.map((value) => datasets.filter((dataset) => of(dataset).includes(value)).length);
    const offered = values.filter((value, at) => (counts[at] ?? 0) > 0 || filters[facet].includes(value));
    const isUseful = offered.length > 1 || filters[facet].length > 0;
    return isUseful
      ? [{ facet, options: offered.map((value) => ({ value, n: counts[values.indexOf(value)] ?? 0 })) }]
      : [];
  });
  if (groups.length === 0) return null;
  const nChosen = countFilters(filters);
  const toggle = (facet: Facet, value: string) => {
    const chosen = filters[facet];
    const next = chosen.includes(value) ? chosen.filter((one) => one !== value) : [...chosen, value];
    set({ filters: { ...filters, [facet]: next } });
  };
  return (
    <Menu
      trigger={
        <IconButton
          label={nChosen === 0 ? t('inventory.filter') : t('inventory.filterOn', { count: nChosen })}
          icon={<ListFilter size={16} />}
          className={nChosen === 0 ? undefined : styles.filtered}
          data-testid="inventory-filter"
        />
      }
    >
      {groups.map(({ facet, options }) => (
        <Fragment key={facet}>
          <MenuHeading>{t(HEADINGS[facet])}</MenuHeading>
          {options.map(({ value, n }) => (
            <MenuToggle
              key={value}
              checked={filters[facet].includes(value)}
              onChange={() => toggle(facet, value)}
              testId={`filter-${facet}-${value}`}
            >
              {nameOf(facet, value)} <span className={styles.number}>{formatCount(n)}</span>
            </MenuToggle>
          ))}
        </Fragment>
      ))}
      {nChosen > 0 && (
        <>
          <MenuSeparator />
          <MenuItem icon={<FilterX size={14} />} onSelect={() => set({ filters: NO_FILTERS })} data-testid="no-filters">
            {t('inventory.noFilters')}
          </MenuItem>
        </>
      )}
    </Menu>
  );
}

function useValueName(): (facet: Facet, value: string) => string {
  const { t } = useTranslation();
  const names: Record<Facet, Readonly<Record<string, string>>> = {
    state: t('state', { returnObjects: true }),
    owner: t('inventory.owners', { returnObjects: true }),
    media: t('explore.views', { returnObjects: true }),
    source: t('inventory.sources', { returnObjects: true }),
  };
  return (facet, value) => names[facet][value] ?? value;
}

import { ArrowDownUp, Images, Plus, SearchX } from 'lucide-react';
import { useDeferredValue } from 'react';
import { useTranslation } from 'react-i18next';
import type { Dataset } from '../../../src-main/contract/schemas/dataset.ts';
import type { Task } from '../../../src-main/contract/schemas/task.ts';
import { Bar } from '../../components/Bar.tsx';
import { Button } from '../../components/Button.tsx';
import { IconButton } from '../../components/IconButton.tsx';
import { Menu, MenuChoice } from '../../components/Menu.tsx';
import { Page } from '../../components/Page.tsx';
import { QueryError } from '../../components/QueryError.tsx';
import { SearchField } from '../../components/SearchField.tsx';
import { StateMessage } from '../../components/StateMessage.tsx';
import { useMay } from '../../lib/account.ts';
import { useDatasets } from '../../lib/datasets.ts';
import { useNewDatasetRequest } from '../../lib/new-dataset-request.ts';
import { usePreferences } from '../../lib/preferences.ts';
import { useRecentTasks } from '../../lib/tasks.ts';
import { CardSkeletons } from './CardSkeletons.tsx';
import { DatasetCard } from './DatasetCard.tsx';
import { FirstRun } from './FirstRun.tsx';
import { InventoryFilter } from './InventoryFilter.tsx';
import styles from './InventoryPage.module.css';
import { arrange, countFilters, isDismissed, NO_FILTERS, SORTS, useInventory } from './inventory.store.ts';

/** Number of cards that fill the first screen of most windows. */
const FIRST_CARDS = 16;

/** All datasets as cards. */
export function InventoryPage() {
  const { t } = useTranslation();
  const { search, filters, sort, set } = useInventory();
  const { dismissedDatasets, set: setPreference } = usePreferences();
  const { data: datasets, error, refetch } = useDatasets();
  const tasks = useRecentTasks();
  const open = useNewDatasetRequest((state) => state.open);
  const mayCreate = useMay()('create_dataset');

  const some = datasets !== undefined && datasets.length > 0;
  const listed = (datasets ?? []).filter((dataset) => !isDismissed(dataset, dismissedDatasets));
  const shown = arrange(listed, { search, filters, sort });
  const isAll = search === '' && countFilters(filters) === 0;
  const bar = (
    <Bar
      title={t('inventory.title')}
      facts={
        some && (
          <span className={styles.count} role="status">
            {isAll
              ? t('common.datasets', { count: datasets.length })
              : t('inventory.someOf', { some: shown.length, count: datasets.length })}
          </span>
        )
      }
    >
      {some && (
        <>
          <SearchField label={t('inventory.search')} value={search} onChange={(text) => set({ search: text })} />
          <InventoryFilter datasets={listed} />
          <Menu trigger={<IconButton label={t('inventory.sort')} icon={<ArrowDownUp size={16} />} />}>
            <MenuChoice
              value={sort}
              options={SORTS.map((value) => ({ value, label: t(`inventory.sortBy.${value}`) }))}
              onChange={(value) => set({ sort: value })}
            />
          </Menu>
          {mayCreate && (
            <Button
              kind="primary"
              icon={<Plus size={16} />}
              className={styles.create}
              aria-label={t('inventory.newDataset')}
              onClick={() => open()}
              data-testid="new-dataset"
            >
              {t('inventory.newDataset')}
            </Button>
          )}
        </>
      )}
    </Bar>
  );
  if (datasets === undefined) {
    return (
      <Page bar={bar}>
        {error === null ? <CardSkeletons /> : <QueryError error={error} onRetry={() => void refetch()} />}
      </Page>
    );
  }
  if (datasets.length === 0) {
    return (
      <Page bar={bar} scroll>
        {mayCreate ? (
          <FirstRun />
        ) : (
          <StateMessage
            testId="nothing-shared"
            icon={<Images size={24} strokeWidth={1.5} />}
            title={t('inventory.nothingTitle')}
            text={t('inventory.nothingText')}
          />
        )}
      </Page>
    );
  }
  const nDismissed = datasets.length - listed.length;
  return (
    <Page bar={bar} scroll>
      {shown.length === 0 ? (
        <StateMessage
          icon={<SearchX size={24} strokeWidth={1.5} />}
          title={search === '' ? t('inventory.noneFiltered') : t('inventory.noMatchTitle', { text: search })}
          text={t('inventory.noMatch')}
          actions={
            <Button onClick={() => set({ search: '', filters: NO_FILTERS })}>{t('inventory.clearSearch')}</Button>
          }
        />
      ) : (
        <ul className={styles.cards} data-testid="datasets">
          <DatasetCards datasets={shown} tasks={tasks} date={sort === 'changed' ? 'updated_at' : 'created_at'} />
          {isAll && mayCreate && (
            <li>
              <button type="button" className={styles.add} onClick={() => open()}>
                <span className={styles.addImage}>
                  <Plus size={24} strokeWidth={1.5} aria-hidden="true" />
                </span>
                <span className={styles.addName}>{t('inventory.newDataset')}</span>
                <span className={styles.addHint}>{t('inventory.newDatasetHint')}</span>
              </button>
            </li>
          )}
        </ul>
      )}
      {nDismissed > 0 && (
        <p className={styles.dismissed} data-testid="dismissed">
          {t('inventory.dismissed', { count: nDismissed })}
          <Button kind="quiet" onClick={() => setPreference({ dismissedDatasets: [] })} data-testid="show-dismissed">
            {t('inventory.showDismissed')}
          </Button>
        </p>
      )}
    </Page>
  );
}

interface DatasetCardsProps {
  datasets: readonly Dataset[];
  tasks: readonly Task[];
  date: 'created_at' | 'updated_at';
}

/** Shows the first cards at once. The others follow when the browser has drawn those, and do not delay input. */
function DatasetCards({ datasets, tasks, date }: DatasetCardsProps) {
  const shown = useDeferredValue(datasets, datasets.slice(0, FIRST_CARDS));
  return shown.map((dataset) => (
    <li key={dataset.id}>
      <DatasetCard dataset={dataset} task={tasks.find((task) => task.dataset_id === dataset.id)} date={date} />
    </li>
  ));
}

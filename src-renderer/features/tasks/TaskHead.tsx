import { ArrowDown, ArrowUp, ListFilter } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../../components/IconButton.tsx';
import { Menu, MenuChoice } from '../../components/Menu.tsx';
import type { TaskSort, TasksPlace } from '../../lib/routes.ts';
import styles from './TaskTable.module.css';

/** Filter options of a column. */
export interface ColumnFilter {
  value: string | undefined;
  options: readonly { value: string; label: string }[];
  onChange(value: string | undefined): void;
}

interface TaskHeadProps {
  text: string;
  className?: string | undefined;
  sort: TaskSort;
  place: TasksPlace;
  go(change: Partial<TasksPlace>): void;
  filter?: ColumnFilter;
}

/** A column header that sorts and filters. */
export function TaskHead({ text, className, sort, place, go, filter }: TaskHeadProps) {
  const isSorted = place.sort === sort;
  const direction = place.ascending ? 'ascending' : 'descending';
  return (
    <th className={className} aria-sort={isSorted ? direction : 'none'}>
      <div className={styles.head}>
        <button
          type="button"
          className={styles.sort}
          onClick={() => go({ sort, ascending: isSorted && !place.ascending })}
        >
          {text}
          {isSorted && (place.ascending ? <ArrowUp size={12} /> : <ArrowDown size={12} />)}
        </button>
        {filter !== undefined && <FilterMenu text={text} filter={filter} />}
      </div>
    </th>
  );
}

const ALL = '';

function FilterMenu({ text, filter }: { text: string; filter: ColumnFilter }) {
  const { t } = useTranslation();
  const options = [{ value: ALL, label: t('tasks.all') }, ...filter.options];
  return (
    <Menu
      align="start"
      trigger={
        <IconButton
          label={t('tasks.filterBy', { what: text })}
          icon={<ListFilter size={14} />}
          className={styles.filter}
          data-active={filter.value !== undefined}
          data-testid="task-filter"
        />
      }
    >
      <MenuChoice
        value={filter.value ?? ALL}
        options={options}
        onChange={(value) => filter.onChange(value === ALL ? undefined : value)}
      />
    </Menu>
  );
}

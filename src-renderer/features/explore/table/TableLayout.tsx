import { useTranslation } from 'react-i18next';
import type { ListedItem } from '../../../../src-main/contract/schemas/facets.ts';
import { PartFailed } from '../../../components/PartFailed.tsx';
import { QueryError } from '../../../components/QueryError.tsx';
import { Skeleton } from '../../../components/Skeleton.tsx';
import { useGridCursor } from '../../../components/use-grid-cursor.ts';
import { useMayOn } from '../../../lib/datasets.ts';
import { isSearch, useItems } from '../../../lib/explore-source.ts';
import { routeOfItem } from '../../../lib/item-routes.ts';
import { navigate } from '../../../lib/location.ts';
import { type Place, routes } from '../../../lib/routes.ts';
import { gridKeys } from '../../../lib/scroll-memory.ts';
import { useOfferTile } from '../../../lib/selectable.ts';
import { chosenItem } from '../../../lib/selection.ts';
import { useEdits } from '../../../lib/use-edits.ts';
import { useGridSelection } from '../../../lib/use-grid-selection.ts';
import { NothingFound, SearchRefused } from '../NothingFound.tsx';
import { CellEditor } from './CellEditor.tsx';
import type { ItemColumn } from './columns.ts';
import styles from './ItemTable.module.css';
import { ItemTable } from './ItemTable.tsx';
import { useColumns } from './use-columns.ts';
import { useCopyRows } from './use-copy-rows.ts';

interface TableLayoutProps {
  datasetId: string;
  place: Place;
  hasErrors: boolean;
}

/** The matches of the query as a table: all fields, sorted by any of them, edited in place. */
export function TableLayout({ datasetId, place, hasErrors }: TableLayoutProps) {
  const { t } = useTranslation();
  const items = useItems(datasetId, place, { details: true });
  const { shown } = useColumns(datasetId, place);
  const listKey = gridKeys.listed(datasetId, place);
  const cursor = useGridCursor(listKey, true);
  const edits = useEdits(datasetId);
  const may = useMayOn(datasetId);
  const chosenOf = (item: ListedItem) => chosenItem(item.media_id, item);
  const selection = useGridSelection(datasetId, listKey, items, (item) => ({
    key: item.media_id,
    chosen: chosenOf(item),
  }));
  useOfferTile((index) => {
    const item = items.at(index);
    return item && chosenOf(item);
  });
  const copy = useCopyRows(datasetId, place);

  if (items.error !== null && items.total === undefined) {
    if (isSearch(place) && !items.error.transient) {
      return <SearchRefused datasetId={datasetId} place={place} error={items.error} />;
    }
    return <QueryError error={items.error} onRetry={items.retry} />;
  }
  if (items.total === undefined) return <Skeleton style={{ height: '100%' }} />;
  if (items.total === 0) return <NothingFound datasetId={datasetId} place={place} hasErrors={hasErrors} />;

  const addressOf = (index: number): string | undefined => {
    const item = items.at(index);
    return item && routeOfItem(datasetId, item, { ...place, at: index });
  };
  const sorted = shown.find(
    ({ sort }) => sort !== undefined && sort.flat === place.flat && sort.sortField === place.sortField,
  );
  const sortBy = ({ sort }: ItemColumn) => {
    if (sort === undefined) return;
    const isSame = sort.flat === place.flat && sort.sortField === place.sortField;
    const order = { flat: sort.flat, sortField: sort.sortField, descending: isSame && place.descending !== true };
    navigate(routes.explore(datasetId, { ...place, ...order }), { replace: true });
  };
  const mayEdit = ({ edit }: ItemColumn) => {
    if (edit === 'tag') return may('edit_tags');
    if (edit === 'label') return may('edit_labels');
    if (edit === 'caption') return place.type !== 'OBJECTS' && may('edit_caption');
    return edit !== undefined && place.type !== 'OBJECTS' && may('edit_custom_metadata');
  };
  const editorOf = (item: ListedItem, column: ItemColumn, onClose: () => void) =>
    mayEdit(column) ? <CellEditor {...{ datasetId, item, column, edits, onClose }} type={place.type} /> : undefined;
  return (
    <div className={styles.layout} data-dimmed={items.stale}>
      <PartFailed list={items} />
      <ItemTable
        label={t(`explore.views.${place.type}`)}
        columns={shown}
        items={items}
        count={items.total}
        cursor={cursor}
        selection={selection}
        sorted={{ key: sorted?.key, descending: place.descending === true }}
        addressOf={addressOf}
        onSort={sortBy}
        onOpen={(index) => {
          const address = addressOf(index);
          if (address !== undefined) navigate(address);
        }}
        onCopy={(index) => {
          const item = items.at(index);
          if (item !== undefined) copy(item);
        }}
        editorOf={editorOf}
      />
    </div>
  );
}

// biome-ignore-all lint/a11y/useSemanticElements: cells of a real table cannot be placed one by one, as virtualising needs
import { useVirtualizer } from '@tanstack/react-virtual';
import { ArrowDown, ArrowUp, Check } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ListedItem } from '../../../../src-main/contract/schemas/facets.ts';
import { focusWhenRendered } from '../../../components/free-focus.ts';
import { Skeleton } from '../../../components/Skeleton.tsx';
import { Thumb } from '../../../components/Thumb.tsx';
import type { GridCursor } from '../../../components/use-grid-cursor.ts';
import { usePreferences } from '../../../lib/preferences.ts';
import { linkTo } from '../../../lib/routes.ts';
import type { GridSelection } from '../../../lib/use-grid-selection.ts';
import type { Paged } from '../../../lib/use-paged.ts';
import type { ItemColumn } from './columns.ts';
import styles from './ItemTable.module.css';
import { HEAD, type Spot, spotAfter } from './move-spot.ts';

const HEAD_PX = 32;
const OVERSCAN_ROWS = 8;

interface ItemTableProps {
  label: string;
  columns: readonly ItemColumn[];
  items: Paged<ListedItem>;
  count: number;
  cursor: GridCursor;
  selection: GridSelection;
  /** The column that orders the rows. */
  sorted: { key: string | undefined; descending: boolean };
  addressOf(index: number): string | undefined;
  onSort(column: ItemColumn): void;
  onOpen(index: number): void;
  onCopy(index: number): void;
  /** Renders the editor of a cell; undefined for cells that cannot be edited. */
  editorOf(item: ListedItem, column: ItemColumn, onClose: () => void): ReactNode | undefined;
}

/** Items as rows of a table with a cursor: arrows move, Enter edits or opens, Space selects, Ctrl+C copies rows. */
export function ItemTable(props: ItemTableProps) {
  const { label, columns, items, count, cursor, selection, sorted, onSort, onOpen } = props;
  const { t } = useTranslation();
  const scroller = useRef<HTMLDivElement>(null);
  const rowPx = usePreferences((state) => (state.density === 'compact' ? 28 : 36));
  const [at, setAt] = useState<Omit<Spot, 'row'> & { isHead: boolean }>({
    column: cursor.initialColumn,
    isHead: false,
  });
  const [editing, setEditing] = useState(false);
  const row = at.isHead ? HEAD : Math.min(cursor.focused, count - 1);
  const column = Math.min(at.column, columns.length - 1);
  const virtualizer = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowPx,
    overscan: OVERSCAN_ROWS,
    paddingStart: HEAD_PX,
    scrollPaddingStart: HEAD_PX,
    initialOffset: cursor.initialOffsetPx,
    onChange: (instance) => cursor.scrolled(instance.scrollOffset ?? 0),
  });
  const rows = virtualizer.getVirtualItems();
  const [first, last] = [rows[0]?.index ?? 0, rows.at(-1)?.index ?? -1];
  const { show } = items;
  useEffect(() => {
    if (last >= first) show(first, last);
  }, [first, last, show]);
  useEffect(() => {
    if (rowPx > 0) virtualizer.measure();
  }, [virtualizer, rowPx]);

  const wantsFocus = useRef(false);
  const latest = useRef({ row, column, editing });
  useEffect(() => {
    latest.current = { row, column, editing };
    // Before rows are rendered there is nothing to focus.
    if (rows.length === 0 || (!cursor.takeFocusRequest() && !wantsFocus.current)) return;
    wantsFocus.current = false;
    if (row !== HEAD) virtualizer.scrollToIndex(row);
    focusWhenRendered(
      () => {
        const at = latest.current;
        const cell = scroller.current?.querySelector<HTMLElement>(`[data-row="${at.row}"][data-column="${at.column}"]`);
        cell?.focus({ preventScroll: at.row !== HEAD && at.column === 0 });
        return cell !== undefined && cell !== null;
      },
      () => !latest.current.editing,
    );
  });

  const moveTo = (spot: Spot) => {
    wantsFocus.current = true;
    setEditing(false);
    setAt({ column: spot.column, isHead: spot.row === HEAD });
    if (spot.row !== HEAD) cursor.moveTo(spot.row);
  };
  const stopEditing = () => {
    wantsFocus.current = true;
    setEditing(false);
  };
  const shown = columns[column];
  const item = row === HEAD ? undefined : items.at(row);
  const editor = item !== undefined && shown !== undefined ? props.editorOf(item, shown, stopEditing) : undefined;

  const act = (event: KeyboardEvent): boolean => {
    const withMod = event.ctrlKey || event.metaKey;
    const pageRows = Math.max(1, Math.floor(((scroller.current?.clientHeight ?? rowPx) - HEAD_PX) / rowPx) - 1);
    const next = event.altKey
      ? undefined
      : spotAfter(event.key, { row, column }, { count, columns: columns.length, pageRows, isFar: withMod });
    if (next !== undefined) {
      if (event.shiftKey && next.row !== HEAD && row !== HEAD && next.row !== row) selection.extend(row, next.row);
      moveTo(next);
      return true;
    }
    if (withMod && event.key === 'c' && row !== HEAD && window.getSelection()?.isCollapsed !== false) {
      props.onCopy(row);
      return true;
    }
    if (withMod || event.altKey) return false;
    if (row === HEAD) {
      if (event.key !== 'Enter' && event.key !== ' ') return false;
      if (shown !== undefined) onSort(shown);
      return true;
    }
    if ((event.key === 'Enter' || event.key === 'F2') && editor !== undefined) setEditing(true);
    else if (event.key === 'Enter') onOpen(row);
    else if (event.key === ' ' || event.key === 'p') selection.select(row, event.shiftKey ? 'range' : 'toggle');
    else if (event.key === 'P') selection.select(row, 'range');
    else if (event.key === 'Escape' && selection.isAny) selection.clear();
    else return false;
    return true;
  };

  const widthPx = columns.reduce((sum, one) => sum + one.widthPx, 0);
  const tracks = { gridTemplateColumns: columns.map((one) => `${one.widthPx}px`).join(' '), minWidth: widthPx };
  const isTabStop = (ofRow: number, ofColumn: number) => ofRow === row && ofColumn === column;
  return (
    <div ref={scroller} className={styles.scroller} data-testid="items-table">
      <div
        role="grid"
        tabIndex={-1}
        aria-label={label}
        aria-rowcount={count + 1}
        aria-colcount={columns.length}
        aria-multiselectable="true"
        className={styles.table}
        style={{ height: virtualizer.getTotalSize(), minWidth: widthPx }}
        onKeyDown={(event) => {
          if (!editing && act(event)) event.preventDefault();
        }}
      >
        <div role="row" tabIndex={-1} aria-rowindex={1} className={`${styles.row} ${styles.head}`} style={tracks}>
          {columns.map((one, nth) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the grid around it handles the keys
            <div
              key={one.key}
              role="columnheader"
              aria-colindex={nth + 1}
              aria-sort={one.key !== sorted.key ? undefined : sorted.descending ? 'descending' : 'ascending'}
              className={`${styles.cell} ${one.isNumber ? styles.number : ''}`}
              tabIndex={isTabStop(HEAD, nth) ? 0 : -1}
              data-row={HEAD}
              data-column={nth}
              data-sortable={one.sort !== undefined}
              data-testid={`column-${one.key}`}
              onFocus={() => setAt({ column: nth, isHead: true })}
              onClick={() => onSort(one)}
              title={one.sort === undefined ? one.title : t('table.sortBy', { title: one.title })}
            >
              <span className={styles.text}>{one.title}</span>
              {one.key === sorted.key && (sorted.descending ? <ArrowDown size={12} /> : <ArrowUp size={12} />)}
            </div>
          ))}
        </div>
        {rows.map(({ key, index, start }) => {
          const of = items.at(index);
          const isSelected = selection.isSelected(index);
          return (
            <div
              key={key}
              role="row"
              tabIndex={-1}
              aria-rowindex={index + 2}
              aria-selected={isSelected}
              className={`${styles.row} ${styles.body}`}
              style={{ ...tracks, height: rowPx, transform: `translateY(${start}px)` }}
              data-testid="item-row"
            >
              {columns.map((one, nth) => (
                // biome-ignore lint/a11y/useKeyWithClickEvents: the grid around it handles the keys
                <div
                  key={one.key}
                  role="gridcell"
                  aria-colindex={nth + 1}
                  className={`${styles.cell} ${one.isNumber ? styles.number : ''}`}
                  tabIndex={isTabStop(index, nth) ? 0 : -1}
                  data-row={index}
                  data-column={nth}
                  data-index={index}
                  data-editable={one.edit !== undefined}
                  onFocus={(event) => {
                    if (event.target !== event.currentTarget) return;
                    setAt({ column: nth, isHead: false });
                    cursor.noticeFocus(index, nth);
                  }}
                  onClick={(event) => {
                    if (event.shiftKey) selection.select(index, 'range');
                    else if (event.ctrlKey || event.metaKey) selection.select(index, 'toggle');
                  }}
                  onDoubleClick={() => (one.edit === undefined ? onOpen(index) : setEditing(true))}
                >
                  {of === undefined ? (
                    <Skeleton style={{ height: 12, width: '70%' }} />
                  ) : editing && isTabStop(index, nth) && editor !== undefined ? (
                    editor
                  ) : nth === 0 ? (
                    <Name
                      item={of}
                      text={one.text(of)}
                      to={props.addressOf(index)}
                      isSelected={isSelected}
                      onSelect={(isRange) => selection.select(index, isRange ? 'range' : 'toggle')}
                      onOpen={() => onOpen(index)}
                    />
                  ) : (
                    <span className={styles.text} title={one.text(of)}>
                      {one.text(of)}
                    </span>
                  )}
                </div>
              ))}
            </div>
          );
        })}
      </div>
    </div>
  );
}

interface NameProps {
  item: ListedItem;
  text: string;
  to: string | undefined;
  isSelected: boolean;
  onSelect(isRange: boolean): void;
  onOpen(): void;
}

/** The first cell of a row: mark of the selection, thumbnail and name, which opens the item. */
function Name({ item, text, to, isSelected, onSelect, onOpen }: NameProps) {
  return (
    <>
      {/* Not a tab stop: Space on the row does the same. */}
      <span
        className={styles.check}
        data-checked={isSelected}
        aria-hidden="true"
        data-testid="row-check"
        onClick={(event) => {
          event.stopPropagation();
          onSelect(event.shiftKey);
        }}
      >
        {isSelected && <Check size={12} strokeWidth={3} />}
      </span>
      <span className={styles.thumb}>
        <Thumb src={item.media_thumb_uri} />
      </span>
      <a
        className={styles.name}
        href={to === undefined ? undefined : linkTo(to)}
        tabIndex={-1}
        title={text}
        data-testid="row-name"
        onClick={(event) => {
          if (event.ctrlKey || event.metaKey) return;
          event.preventDefault();
          if (event.shiftKey) return;
          event.stopPropagation();
          onOpen();
        }}
      >
        {text}
      </a>
    </>
  );
}

// biome-ignore-all lint/a11y/useSemanticElements: rows of a real table cannot be placed one by one, as virtualising needs
import { useVirtualizer } from '@tanstack/react-virtual';
import { Check } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { GridSelection } from '../lib/use-grid-selection.ts';
import type { GridCursor } from './use-grid-cursor.ts';
import { useLasso } from './use-lasso.ts';
import styles from './VirtualGrid.module.css';

const PADDING_PX = 12;
const OVERSCAN_ROWS = 2;

export interface VirtualGridProps {
  label: string;
  count: number;
  minTilePx: number;
  gapPx: number;
  /** Room under the square image. */
  captionPx?: number;
  cursor: GridCursor;
  tileLabel(index: number): string;
  renderTile(index: number): ReactNode;
  /** Which tiles are on screen. */
  onShow(first: number, last: number): void;
  onOpen(index: number): void;
  onLook?(index: number): void;
  onSimilar?(index: number): void;
  /** What is chosen, and choosing: its mark and X for one, Shift-click for all from the last one, Shift and dragging for all in a frame. */
  selection?: GridSelection;
  testId?: string;
  tileTestId?: string;
  dimmed?: boolean;
  /** What comes under the tiles. */
  after?: ReactNode;
}

/** A grid of square tiles of which only those on screen exist. Arrows move, Enter opens, Space looks, S finds similar, X chooses. */
export function VirtualGrid(props: VirtualGridProps) {
  const frame = useRef<HTMLDivElement>(null);
  const [widthPx, setWidthPx] = useState(0);
  useLayoutEffect(() => {
    const element = frame.current;
    if (element === null) return;
    const observer = new ResizeObserver(() => setWidthPx(element.clientWidth));
    observer.observe(element);
    setWidthPx(element.clientWidth);
    return () => observer.disconnect();
  }, []);
  return (
    <div ref={frame} className={styles.frame} data-testid={props.testId} data-dimmed={props.dimmed}>
      {widthPx > 0 && <Rows {...props} widthPx={widthPx} />}
    </div>
  );
}

function Rows(props: VirtualGridProps & { widthPx: number }) {
  const { count, minTilePx, gapPx, captionPx = 0, cursor, widthPx } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const innerPx = widthPx - 2 * PADDING_PX;
  const columns = Math.max(1, Math.floor((innerPx + gapPx) / (minTilePx + gapPx)));
  const tilePx = Math.floor((innerPx - gapPx * (columns - 1)) / columns);
  const rowPx = tilePx + captionPx + gapPx;
  const rowCount = Math.ceil(count / columns);

  const virtualizer = useVirtualizer({
    count: rowCount,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowPx,
    overscan: OVERSCAN_ROWS,
    paddingStart: PADDING_PX,
    paddingEnd: PADDING_PX,
    scrollPaddingStart: PADDING_PX,
    scrollPaddingEnd: PADDING_PX,
    initialOffset: cursor.initialOffsetPx,
    onChange: (instance) => cursor.scrolled(instance.scrollOffset ?? 0),
  });
  const { selection } = props;
  const lasso = useLasso(
    scroller,
    {
      count,
      columns,
      paddingPx: PADDING_PX,
      columnPx: (innerPx + gapPx) / columns,
      rowPx,
      tilePx,
      tileHeightPx: tilePx + captionPx,
    },
    selection && ((indexes) => selection.add(indexes)),
  );
  const rows = virtualizer.getVirtualItems();
  const first = (rows[0]?.index ?? 0) * columns;
  const last = Math.min(count, ((rows.at(-1)?.index ?? 0) + 1) * columns) - 1;

  const { onShow } = props;
  useEffect(() => {
    if (last >= first) onShow(first, last);
  }, [first, last, onShow]);

  useKeepPlace(virtualizer, columns, rowPx);
  const { focused } = cursor;
  useEffect(() => {
    if (!cursor.takeFocusRequest()) return;
    virtualizer.scrollToIndex(Math.floor(focused / columns));
    const frameId = requestAnimationFrame(() => {
      scroller.current?.querySelector<HTMLElement>(`[data-index="${focused}"]`)?.focus({ preventScroll: true });
    });
    return () => cancelAnimationFrame(frameId);
  }, [focused, columns, cursor, virtualizer]);

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const visibleRows = Math.max(1, Math.floor((scroller.current?.clientHeight ?? rowPx) / rowPx));
    const target = destination(event.key, focused, { count, columns, visibleRows });
    if (target !== undefined) cursor.moveTo(target);
    else if (event.key === 'Enter' && event.target === event.currentTarget.querySelector(':focus'))
      props.onOpen(focused);
    else if (event.key === ' ' && props.onLook !== undefined) props.onLook(focused);
    else if (event.key === 'x' && props.selection !== undefined) props.selection.select(focused, 'toggle');
    else if (event.key === 'X' && props.selection !== undefined) props.selection.select(focused, 'range');
    else if (event.key === 'Escape' && props.selection?.isAny === true) props.selection.clear();
    else if (event.key === 's' && props.onSimilar !== undefined) props.onSimilar(focused);
    else return;
    event.preventDefault();
  };

  return (
    <div ref={scroller} className={styles.scroller} onPointerDown={lasso.onPointerDown}>
      {lasso.box !== undefined && <div className={styles.lasso} style={lasso.box} data-testid="lasso" />}
      <div
        role="grid"
        tabIndex={-1}
        aria-label={props.label}
        aria-rowcount={rowCount}
        aria-colcount={columns}
        className={styles.grid}
        style={{ height: virtualizer.getTotalSize() }}
        onKeyDown={onKeyDown}
      >
        {rows.map((row) => (
          <div
            key={row.key}
            role="row"
            tabIndex={-1}
            aria-rowindex={row.index + 1}
            className={styles.row}
            style={{
              transform: `translateY(${row.start}px)`,
              gridTemplateColumns: `repeat(${columns}, 1fr)`,
              width: innerPx,
              columnGap: gapPx,
              left: PADDING_PX,
            }}
          >
            {cellsOf(row.index, columns, count).map((index) => (
              // biome-ignore lint/a11y/useKeyWithClickEvents: the grid around it handles the keys
              <div
                key={index}
                role="gridcell"
                aria-colindex={(index % columns) + 1}
                tabIndex={index === focused || (focused >= count && index === 0) ? 0 : -1}
                className={styles.cell}
                style={{ height: tilePx + captionPx }}
                data-index={index}
                data-testid={props.tileTestId}
                onFocus={() => cursor.noticeFocus(index)}
                aria-selected={props.selection?.isSelected(index)}
                onClick={(event) => {
                  if (event.ctrlKey || event.metaKey) return;
                  if (event.shiftKey) props.selection?.select(index, 'range');
                  else props.onOpen(index);
                }}
              >
                {/* The label says all that the tile shows, in words; what can be done on hover are keys of the grid. */}
                <span className="visually-hidden">{props.tileLabel(index)}</span>
                <div style={{ height: tilePx }} aria-hidden="true">
                  {props.renderTile(index)}
                </div>
                {props.selection !== undefined && (
                  <span
                    className={styles.check}
                    aria-hidden="true"
                    data-testid="tile-check"
                    onClick={(event) => {
                      event.stopPropagation();
                      props.selection?.select(index, event.shiftKey ? 'range' : 'toggle');
                    }}
                  >
                    <Check size={14} strokeWidth={2.5} />
                  </span>
                )}
              </div>
            ))}
          </div>
        ))}
      </div>
      {props.after}
    </div>
  );
}

/** When tiles change size, the first tile on screen stays on screen. */
function useKeepPlace(
  virtualizer: ReturnType<typeof useVirtualizer<HTMLDivElement, Element>>,
  columns: number,
  rowPx: number,
): void {
  const before = useRef({ columns, rowPx });
  useLayoutEffect(() => {
    const old = before.current;
    if (old.columns === columns && old.rowPx === rowPx) return;
    before.current = { columns, rowPx };
    const index = Math.floor((virtualizer.scrollOffset ?? 0) / old.rowPx) * old.columns;
    virtualizer.measure();
    virtualizer.scrollToOffset(Math.floor(index / columns) * rowPx);
  }, [virtualizer, columns, rowPx]);
}

function cellsOf(row: number, columns: number, count: number): number[] {
  const length = Math.min(columns, count - row * columns);
  return Array.from({ length: Math.max(0, length) }, (_, column) => row * columns + column);
}

/** Where a key moves the focus, or undefined when it does not move. */
function destination(
  key: string,
  from: number,
  { count, columns, visibleRows }: { count: number; columns: number; visibleRows: number },
): number | undefined {
  const within = (index: number) => (index >= 0 && index < count ? index : undefined);
  switch (key) {
    case 'ArrowRight':
      return within(from + 1);
    case 'ArrowLeft':
      return within(from - 1);
    case 'ArrowDown':
      return within(from + columns) ?? (from < count - 1 ? count - 1 : undefined);
    case 'ArrowUp':
      return within(from - columns);
    case 'PageDown':
      return Math.min(count - 1, from + columns * visibleRows);
    case 'PageUp':
      return Math.max(0, from - columns * visibleRows);
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    default:
      return undefined;
  }
}

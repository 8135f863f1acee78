// biome-ignore-all lint/a11y/useSemanticElements: rows of a real table cannot be placed one by one, as virtualising needs
import { useVirtualizer } from '@tanstack/react-virtual';
import {
  type KeyboardEvent as ReactKeyboardEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { focusWhenRendered, isFocusFree } from './free-focus.ts';
import type { GridTiles } from './GridCell.tsx';
import { GridRow } from './GridRow.tsx';
import { useLasso } from './use-lasso.ts';
import styles from './VirtualGrid.module.css';

const PADDING_PX = 12;
const OVERSCAN_ROWS = 2;
const ARROWS = ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown'];

export interface VirtualGridProps extends GridTiles {
  label: string;
  minTilePx: number;
  /** Called with the range of visible tiles. */
  onShow(first: number, last: number): void;
  onLook?(index: number): void;
  onSimilar?(index: number): void;
  onRename?(index: number): void;
  testId?: string;
  dimmed?: boolean;
  /** Content below the tiles. */
  after?: ReactNode;
}

/** A grid of square tiles that renders only visible ones. Arrows move, Enter opens, Space previews, S finds similar, P selects, Shift with arrows selects a range, F2 renames. */
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
    return focusWhenRendered(() => {
      const tile = scroller.current?.querySelector<HTMLElement>(`[data-index="${focused}"]`);
      tile?.focus({ preventScroll: true });
      return tile !== null && tile !== undefined;
    });
  }, [focused, columns, cursor, virtualizer]);

  useHeldFocus(scroller, () => cursor.moveTo(Math.min(focused, count - 1)));
  useFirstArrow(cursor.refocus);

  const onKeyDown = (event: ReactKeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const visibleRows = Math.max(1, Math.floor((scroller.current?.clientHeight ?? rowPx) / rowPx));
    const target = destination(event.key, focused, { count, columns, visibleRows });
    if (target !== undefined) {
      if (event.shiftKey) props.selection?.extend(focused, target);
      cursor.moveTo(target);
    } else if (event.key === 'Enter' && event.target === event.currentTarget.querySelector(':focus'))
      props.onOpen(focused);
    else if (event.key === ' ' && props.onLook !== undefined) props.onLook(focused);
    else if (event.key === 'p' && props.selection !== undefined) props.selection.select(focused, 'toggle');
    else if (event.key === 'P' && props.selection !== undefined) props.selection.select(focused, 'range');
    else if (event.key === 'Escape' && props.selection?.isAny === true) props.selection.clear();
    else if (event.key === 's' && props.onSimilar !== undefined) props.onSimilar(focused);
    else if (event.key === 'F2' && props.onRename !== undefined) props.onRename(focused);
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
          <GridRow
            key={row.key}
            grid={props}
            index={row.index}
            startPx={row.start}
            leftPx={PADDING_PX}
            columns={columns}
            innerPx={innerPx}
            tilePx={tilePx}
          />
        ))}
      </div>
      {props.after}
    </div>
  );
}

/** Keeps the first visible tile in view when the tile size changes. */
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

/** Moves the focus to the grid with the first arrow key when no element has the focus. */
function useFirstArrow(refocus: () => void): void {
  const takeKey = useEffectEvent((event: KeyboardEvent) => {
    if (!ARROWS.includes(event.key) || event.defaultPrevented || !isFocusFree()) return;
    event.preventDefault();
    refocus();
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => takeKey(event);
    window.addEventListener('keydown', listener);
    return () => window.removeEventListener('keydown', listener);
  }, []);
}

/** Returns the focus to the grid when the tile that had it is removed, such as an excluded one at the end. */
function useHeldFocus(scroller: RefObject<HTMLElement | null>, refocus: () => void): void {
  const had = useRef(false);
  useEffect(() => {
    const element = scroller.current;
    const note = () => {
      had.current = true;
    };
    const leave = (event: FocusEvent) => {
      // The browser also reports the removal of the focused element.
      had.current = event.target instanceof Node && !event.target.isConnected;
    };
    element?.addEventListener('focusin', note);
    element?.addEventListener('focusout', leave);
    return () => {
      element?.removeEventListener('focusin', note);
      element?.removeEventListener('focusout', leave);
    };
  }, [scroller]);
  useEffect(() => {
    if (had.current && isFocusFree()) refocus();
  });
}

/** The index to which a key moves the focus, or undefined. */
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

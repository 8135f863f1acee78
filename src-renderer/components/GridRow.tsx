// biome-ignore-all lint/a11y/useSemanticElements: rows of a real table cannot be placed one by one, as virtualising needs
import { Check } from 'lucide-react';
import { memo, type ReactNode } from 'react';
import type { GridSelection } from '../lib/use-grid-selection.ts';
import type { GridCursor } from './use-grid-cursor.ts';
import styles from './VirtualGrid.module.css';

/** The tiles of a grid. */
export interface GridTiles {
  count: number;
  gapPx: number;
  /** Room under the square image. */
  captionPx?: number;
  cursor: GridCursor;
  tileLabel(index: number): string;
  renderTile(index: number): ReactNode;
  onOpen(index: number): void;
  /** What is chosen, and choosing: its mark and X for one, Shift-click for all from the last one, Shift and dragging for all in a frame. */
  selection?: GridSelection;
  tileTestId?: string;
}

interface GridRowProps {
  /** The same object while none of it changes. */
  grid: GridTiles;
  index: number;
  startPx: number;
  leftPx: number;
  columns: number;
  innerPx: number;
  tilePx: number;
}

/** A row of tiles. While the grid scrolls, rows that stay on screen stay as they are. */
export const GridRow = memo(function GridRow({
  grid,
  index: row,
  startPx,
  leftPx,
  columns,
  innerPx,
  tilePx,
}: GridRowProps) {
  const { count, gapPx, captionPx = 0, cursor, selection } = grid;
  const { focused } = cursor;
  return (
    <div
      role="row"
      tabIndex={-1}
      aria-rowindex={row + 1}
      className={styles.row}
      style={{
        transform: `translateY(${startPx}px)`,
        gridTemplateColumns: `repeat(${columns}, 1fr)`,
        width: innerPx,
        columnGap: gapPx,
        left: leftPx,
      }}
    >
      {cellsOf(row, columns, count).map((index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the grid around it handles the keys
        <div
          key={index}
          role="gridcell"
          aria-colindex={(index % columns) + 1}
          tabIndex={index === focused || (focused >= count && index === 0) ? 0 : -1}
          className={styles.cell}
          style={{ height: tilePx + captionPx }}
          data-index={index}
          data-testid={grid.tileTestId}
          onFocus={() => cursor.noticeFocus(index)}
          aria-selected={selection?.isSelected(index)}
          onClick={(event) => {
            if (event.ctrlKey || event.metaKey) return;
            if (event.shiftKey) selection?.select(index, 'range');
            else grid.onOpen(index);
          }}
        >
          {/* The label says all that the tile shows, in words; what can be done on hover are keys of the grid. */}
          <span className="visually-hidden">{grid.tileLabel(index)}</span>
          <div style={{ height: tilePx }} aria-hidden="true">
            {grid.renderTile(index)}
          </div>
          {selection !== undefined && (
            <span
              className={styles.check}
              aria-hidden="true"
              data-testid="tile-check"
              onClick={(event) => {
                event.stopPropagation();
                selection.select(index, event.shiftKey ? 'range' : 'toggle');
              }}
            >
              <Check size={14} strokeWidth={2.5} />
            </span>
          )}
        </div>
      ))}
    </div>
  );
});

function cellsOf(row: number, columns: number, count: number): number[] {
  const length = Math.min(columns, count - row * columns);
  return Array.from({ length: Math.max(0, length) }, (_, column) => row * columns + column);
}

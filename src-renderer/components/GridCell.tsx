// biome-ignore-all lint/a11y/useSemanticElements: cells of a real table cannot be placed one by one, as virtualising needs
import { Check } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { GridSelection } from '../lib/use-grid-selection.ts';
import { NearTile } from './near-tile.ts';
import type { GridCursor } from './use-grid-cursor.ts';
import styles from './VirtualGrid.module.css';

/** Tiles of a grid. */
export interface GridTiles {
  count: number;
  gapPx: number;
  /** Height of the text below the square image. */
  captionPx?: number;
  cursor: GridCursor;
  tileLabel(index: number): string;
  renderTile(index: number): ReactNode;
  /** A field over the text below a tile. */
  renderField?(index: number): ReactNode;
  onOpen(index: number): void;
  /** Selection: the check mark and X toggle one tile, Shift-click selects a range, Shift-drag selects a frame. */
  selection?: GridSelection;
  tileTestId?: string;
}

interface GridCellProps {
  grid: GridTiles;
  index: number;
  column: number;
  tilePx: number;
}

/** One tile of a grid with its check mark. Controls for hover and focus are rendered only when needed. */
export function GridCell({ grid, index, column, tilePx }: GridCellProps) {
  const { count, captionPx = 0, cursor, selection } = grid;
  const [pointed, setPointed] = useState(false);
  const isTabStop = index === cursor.focused || (cursor.focused >= count && index === 0);
  const isSelected = selection?.isSelected(index);
  const isNear = pointed || isTabStop;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the grid around it handles the keys
    <div
      role="gridcell"
      aria-colindex={column + 1}
      tabIndex={isTabStop ? 0 : -1}
      className={styles.cell}
      style={{ height: tilePx + captionPx }}
      data-index={index}
      data-testid={grid.tileTestId}
      onFocus={() => cursor.noticeFocus(index)}
      onPointerEnter={() => setPointed(true)}
      onPointerLeave={() => setPointed(false)}
      aria-selected={isSelected}
      onClick={(event) => {
        if (event.ctrlKey || event.metaKey) return;
        if (event.shiftKey) selection?.select(index, 'range');
        else grid.onOpen(index);
      }}
    >
      {/* The label describes everything that the tile shows. Hover actions are keys of the grid. */}
      <span className="visually-hidden">{grid.tileLabel(index)}</span>
      <div style={{ height: tilePx }} aria-hidden="true">
        <NearTile value={isNear}>{grid.renderTile(index)}</NearTile>
      </div>
      {grid.renderField?.(index)}
      {selection !== undefined && (isNear || isSelected) && (
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
  );
}

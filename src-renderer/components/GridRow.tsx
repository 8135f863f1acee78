// biome-ignore-all lint/a11y/useSemanticElements: rows of a real table cannot be placed one by one, as virtualising needs
import { memo } from 'react';
import { GridCell, type GridTiles } from './GridCell.tsx';
import styles from './VirtualGrid.module.css';

interface GridRowProps {
  /** Must be the same object while its content is unchanged. */
  grid: GridTiles;
  index: number;
  startPx: number;
  leftPx: number;
  columns: number;
  innerPx: number;
  tilePx: number;
}

/** A row of tiles. Memoised: visible rows do not render again while the grid scrolls. */
export const GridRow = memo(function GridRow({
  grid,
  index: row,
  startPx,
  leftPx,
  columns,
  innerPx,
  tilePx,
}: GridRowProps) {
  const { count, gapPx } = grid;
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
      {cellsOf(row, columns, count).map((index, column) => (
        <GridCell key={index} grid={grid} index={index} column={column} tilePx={tilePx} />
      ))}
    </div>
  );
});

function cellsOf(row: number, columns: number, count: number): number[] {
  const length = Math.min(columns, count - row * columns);
  return Array.from({ length: Math.max(0, length) }, (_, column) => row * columns + column);
}

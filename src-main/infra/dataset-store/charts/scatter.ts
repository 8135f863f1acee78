import { AppError } from '../../../contract/errors.ts';
import { message } from '../../../contract/messages.ts';
import { SCATTER_COLUMNS, SCATTER_ROWS, type Scatter, type ScatterNumber } from '../../../contract/schemas/charts.ts';
import type { RowSet } from '../../vectors/row-set.ts';
import type { Facts } from '../explore/row-facts.ts';

const FIELD = 'field:';

interface Axis {
  /** NaN for rows without a value. */
  numberOf: (row: number) => number;
  isTime: boolean;
}

interface Bounds {
  from: number;
  to: number;
}

type Cell = Scatter['cells'][number];

/** Counts rows by two of their numbers, in cells of equal size. */
export function countScatter(rows: RowSet, facts: Facts, names: { x: string; y: string }): Scatter {
  const [x, y] = [axisOf(names.x, facts), axisOf(names.y, facts)];
  const bounds = { x: noBounds(), y: noBounds() };
  let n = 0;
  rows.forEach((row) => {
    const [one, other] = [x.numberOf(row), y.numberOf(row)];
    if (Number.isNaN(one) || Number.isNaN(other)) return;
    widen(bounds.x, one);
    widen(bounds.y, other);
    n += 1;
  });
  if (n === 0) return { n_items: 0, x: null, y: null, cells: [] };
  const cells = new Map<number, Cell>();
  rows.forEach((row) => {
    const [one, other] = [x.numberOf(row), y.numberOf(row)];
    if (Number.isNaN(one) || Number.isNaN(other)) return;
    const [column, line] = [partOf(one, bounds.x, SCATTER_COLUMNS), partOf(other, bounds.y, SCATTER_ROWS)];
    const cell = cells.get(line * SCATTER_COLUMNS + column);
    if (cell === undefined) {
      const values = { x_from: one, x_to: one, y_from: other, y_to: other };
      cells.set(line * SCATTER_COLUMNS + column, { column, row: line, count: 1, ...values });
      return;
    }
    cell.count += 1;
    [cell.x_from, cell.x_to] = [Math.min(cell.x_from, one), Math.max(cell.x_to, one)];
    [cell.y_from, cell.y_to] = [Math.min(cell.y_from, other), Math.max(cell.y_to, other)];
  });
  return {
    n_items: n,
    x: { ...bounds.x, is_time: x.isTime },
    y: { ...bounds.y, is_time: y.isTime },
    cells: [...cells.values()].sort((a, b) => a.row - b.row || a.column - b.column),
  };
}

/** @throws AppError `invalid_input` for an unknown field, or one without numbers. */
function axisOf(name: string, facts: Facts): Axis {
  const { items, imageOf } = facts.columns;
  const itemOf = facts.entity_type === 'OBJECTS' ? (row: number) => imageOf[row] ?? 0 : (row: number) => row;
  const of = (values: ArrayLike<number>, isTime = false): Axis => ({
    numberOf: (row) => values[itemOf(row)] ?? Number.NaN,
    isTime,
  });
  if (name.startsWith(FIELD)) {
    const declared = facts.metadata.field(name.slice(FIELD.length));
    const column = facts.metadata.column(declared, facts.nItems);
    if (column?.kind !== 'numbers') {
      throw new AppError('invalid_input', message('field_without_numbers', { field: declared.field_name }));
    }
    return of(column.values, declared.field_type === 'datetime');
  }
  switch (name as ScatterNumber) {
    case 'width':
      return of(items.widths);
    case 'height':
      return of(items.heights);
    case 'created':
      return of(items.created, true);
    case 'uniqueness':
      return { numberOf: (row) => facts.uniqueness[row] ?? Number.NaN, isTime: false };
  }
}

function noBounds(): Bounds {
  return { from: Number.POSITIVE_INFINITY, to: Number.NEGATIVE_INFINITY };
}

function widen(bounds: Bounds, value: number): void {
  bounds.from = Math.min(bounds.from, value);
  bounds.to = Math.max(bounds.to, value);
}

function partOf(value: number, { from, to }: Bounds, parts: number): number {
  return to === from ? 0 : Math.min(parts - 1, Math.floor(((value - from) / (to - from)) * parts));
}

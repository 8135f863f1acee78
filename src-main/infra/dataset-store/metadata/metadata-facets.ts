import type { FieldFacet } from '../../../contract/schemas/facets.ts';
import type { RowSet } from '../../vectors/row-set.ts';
import { DateRanges } from '../explore/date-ranges.ts';
import type { Facts } from '../explore/row-facts.ts';
import type { NumberedField } from './custom-metadata.repository.ts';
import type { ValueColumn } from './custom-values.ts';

/** Maximum number of fields counted, and of values returned per field. */
const MAX_FIELDS = 50;
const MAX_VALUES = 50;
const N_RANGES = 10;

/** Counts the values of each custom field among some rows. */
export function countMetadata(rows: RowSet, facts: Facts): FieldFacet[] {
  return facts.metadata
    .fields()
    .slice(0, MAX_FIELDS)
    .map((field) => countField(field, rows, facts));
}

function countField(field: NumberedField, rows: RowSet, facts: Facts): FieldFacet {
  const { field_name, field_type } = field;
  const column = facts.metadata.column(field, facts.nItems);
  const counted = column ? countColumn(field, column, rows, facts) : { n_values: null, values: [], ranges: [] };
  return { field_name, field_type, ...counted };
}

function countColumn(
  field: NumberedField,
  column: ValueColumn,
  rows: RowSet,
  facts: Facts,
): Pick<FieldFacet, 'n_values' | 'values' | 'ranges'> {
  const { imageOf } = facts.columns;
  const eachItem = (work: (item: number) => void) =>
    rows.forEach((row) => {
      work(facts.entity_type === 'OBJECTS' ? (imageOf[row] ?? 0) : row);
    });
  if (column.kind === 'numbers') {
    const found = new Float64Array(rows.count);
    let n = 0;
    eachItem((item) => {
      const value = column.values[item] ?? Number.NaN;
      if (Number.isNaN(value)) return;
      found[n] = value;
      n += 1;
    });
    const values = found.subarray(0, n).sort();
    const ranges = field.field_type === 'datetime' ? dateRanges(values) : numberRanges(values);
    return { n_values: n, values: [], ranges };
  }
  const counts = new Map<number, number>();
  const add = (key: number) => counts.set(key, (counts.get(key) ?? 0) + 1);
  let n = 0;
  eachItem((item) => {
    const key = column.kind === 'options' ? (column.masks[item] ?? 0) : (column.codes[item] ?? -1);
    if (column.kind === 'options' ? key === 0 : key < 0) return;
    n += 1;
    add(key);
  });
  const values =
    column.kind === 'options'
      ? field.enum_options.map((name, at) => ({ name, count: sumWith(counts, 1 << at) }))
      : [...counts].map(([code, count]) => ({ name: column.texts[code] ?? '', count }));
  const counted = values
    .filter(({ count }) => count > 0)
    .sort((a, b) => b.count - a.count || (a.name < b.name ? -1 : 1));
  return { n_values: n, values: counted.slice(0, MAX_VALUES), ranges: [] };
}

function dateRanges(moments: Float64Array): ReturnType<DateRanges['list']> {
  const ranges = new DateRanges();
  for (const moment of moments) ranges.add(moment);
  return ranges.list();
}

function sumWith(countsOfMasks: ReadonlyMap<number, number>, bit: number): number {
  let sum = 0;
  for (const [mask, count] of countsOfMasks) if ((mask & bit) !== 0) sum += count;
  return sum;
}

/**
 * Divides sorted numbers into ranges of equal width. Each range starts at its smallest number and ends at its largest, so that a filter by
 * the range gives the same count.
 */
function numberRanges(sorted: Float64Array): { from: number; to: number; count: number }[] {
  const [least, most] = [sorted[0] ?? 0, sorted.at(-1) ?? 0];
  const width = (most - least) / N_RANGES;
  const ranges: { from: number; to: number; count: number; nth: number }[] = [];
  for (const value of sorted) {
    const nth = width > 0 ? Math.min(N_RANGES - 1, Math.floor((value - least) / width)) : 0;
    const last = ranges.at(-1);
    if (last?.nth === nth) {
      last.to = value;
      last.count += 1;
    } else ranges.push({ from: value, to: value, count: 1, nth });
  }
  return ranges.map(({ from, to, count }) => ({ from, to, count }));
}

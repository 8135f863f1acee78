import type { Facets } from '../../../../src-main/contract/schemas/facets.ts';
import { rangeName } from '../../../lib/format.ts';
import type { ChartRow } from './ChartCard.tsx';

export interface Bars {
  key: string;
  /** Undefined for a custom field, whose name is the title. */
  title?: 'labels' | 'widths' | 'heights' | 'taken' | 'created';
  name?: string;
  kind: 'names' | 'ranges';
  rows: ChartRow[];
}

/** The facets that are shown as bars: those with at least two values. */
export function barsOf(facets: Facets): Bars[] {
  const pixels = (name: 'width' | 'height', ranges: Facets['widths']): ChartRow[] =>
    ranges.map(({ from, to, count }) => ({
      name: `${from} – ${to}`,
      count,
      filters: [{ [name]: { op: 'range', from, to } }],
    }));
  const named: Bars[] = [
    {
      key: 'labels',
      title: 'labels',
      kind: 'names',
      rows: facets.labels.map(({ name, count }) => ({
        name,
        count,
        filters: [{ labels: { op: 'is', value: [name] } }],
      })),
    },
    { key: 'widths', title: 'widths', kind: 'ranges', rows: pixels('width', facets.widths) },
    { key: 'heights', title: 'heights', kind: 'ranges', rows: pixels('height', facets.heights) },
    ...(['taken', 'created'] as const).map(
      (key): Bars => ({
        key,
        title: key,
        kind: 'ranges',
        rows: facets[key].map(({ from, to, count }) => ({
          name: rangeName(from, to),
          count,
          filters: [{ [key]: { op: 'range', from, to } }],
        })),
      }),
    ),
  ];
  const fields = facets.metadata.map(({ field_name: field, values, ranges }): Bars => {
    const ofValues = values.map(({ name, count }) => ({
      name,
      count,
      filters: [{ metadata: { field, op: 'is', value: [name] } }],
    }));
    const ofRanges = ranges.map(({ from, to, count }) => ({
      name: rangeName(from, to),
      count,
      filters: [{ metadata: { field, op: 'range', from, to } }],
    }));
    const isNamed = ofValues.length > 0;
    return {
      key: `field ${field}`,
      name: field,
      kind: isNamed ? 'names' : 'ranges',
      rows: isNamed ? ofValues : ofRanges,
    };
  });
  return [...named, ...fields].filter(({ key, rows }) => rows.length > (key === 'labels' ? 0 : 1));
}

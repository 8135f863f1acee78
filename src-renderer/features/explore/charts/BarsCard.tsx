import * as Plot from '@observablehq/plot';
import { useMemo } from 'react';
import { hasFilter, type PlaceFilter } from '../../../lib/filters.ts';
import { formatCount } from '../../../lib/format.ts';
import type { Place } from '../../../lib/routes.ts';
import { ChartCard, type ChartRow } from './ChartCard.tsx';
import { PlotFigure } from './PlotFigure.tsx';
import { PLOT_STYLE } from './plot-style.ts';

/** Maximum number of bars that lie, one name a line. */
const MAX_LINES = 20;
const LINE_PX = 20;
const HEIGHT_PX = 180;

interface BarsCardProps {
  title: string;
  place: Place;
  rows: readonly ChartRow[];
  /** `ranges` are in order and stand side by side; `names` lie, the most frequent first. */
  kind: 'names' | 'ranges';
  onPick(filters: readonly PlaceFilter[]): void;
  testId: string;
}

/** A bar for each value. */
export function BarsCard({ title, place, rows, kind, onPick, testId }: BarsCardProps) {
  const options = useMemo(() => {
    const shown = kind === 'names' ? rows.slice(0, MAX_LINES) : rows;
    const isOn = (row: ChartRow) => row.filters.every((filter) => hasFilter(place.filters, filter));
    const fill = (row: ChartRow) => (isOn(row) ? 'var(--accent)' : 'var(--line-strong)');
    const title = (row: ChartRow) => `${row.name}\n${formatCount(row.count)}`;
    if (kind === 'names') {
      return {
        style: PLOT_STYLE,
        height: shown.length * LINE_PX + 30,
        marginLeft: 120,
        marginTop: 4,
        marginBottom: 26,
        x: { grid: true, label: null, ticks: 4 },
        y: { label: null, domain: shown.map(({ name }) => name), tickFormat: shortened },
        marks: [
          Plot.barX(shown, { x: 'count', y: 'name', fill, inset: 1 }),
          Plot.tip(shown, Plot.pointerY({ x: 'count', y: 'name', title })),
        ],
      };
    }
    return {
      style: PLOT_STYLE,
      height: HEIGHT_PX,
      marginBottom: 28,
      x: { label: null, domain: shown.map(({ name }) => name), tickFormat: someOf(shown) },
      y: { grid: true, label: null, ticks: 4 },
      marks: [
        Plot.barY(shown, { x: 'name', y: 'count', fill, inset: 0.5 }),
        Plot.tip(shown, Plot.pointerX({ x: 'name', y: 'count', title })),
      ],
    };
  }, [rows, kind, place]);
  return (
    <ChartCard title={title} place={place} rows={rows} onPick={onPick} testId={testId}>
      <PlotFigure<ChartRow> options={options} onPick={({ filters }) => onPick(filters)} />
    </ChartCard>
  );
}

function shortened(name: string): string {
  return name.length > 17 ? `${name.slice(0, 16)}…` : name;
}

/** Names at both ends and in the middle: more would overlap. */
function someOf(rows: readonly ChartRow[]) {
  const last = rows.length - 1;
  const shown = new Set([0, Math.round(last / 2), last].map((at) => rows[at]?.name));
  return (name: string) => (shown.has(name) ? shortened(name.split(' – ')[0] ?? name) : '');
}

import * as Plot from '@observablehq/plot';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { SCATTER_NUMBERS, type Scatter } from '../../../../src-main/contract/schemas/charts.ts';
import { queryOf } from '../../../lib/explore-source.ts';
import { useFields } from '../../../lib/fields.ts';
import type { PlaceFilter } from '../../../lib/filters.ts';
import { formatCount, rangeName } from '../../../lib/format.ts';
import type { Place } from '../../../lib/routes.ts';
import { useOperation } from '../../../lib/use-operation.ts';
import { ChartCard, type ChartRow } from './ChartCard.tsx';
import { ChartChoice } from './ChartChoice.tsx';
import { PlotFigure } from './PlotFigure.tsx';
import { PLOT_STYLE } from './plot-style.ts';

const HEIGHT_PX = 260;
const RADIUS_PX = { least: 1.5, most: 8 };

interface ScatterCardProps {
  datasetId: string;
  place: Place;
  onPick(filters: readonly PlaceFilter[]): void;
}

type Cell = ChartRow & { x: number | Date; y: number | Date };

/** Items by two numbers: dots whose area is the number of items. */
export function ScatterCard({ datasetId, place, onPick }: ScatterCardProps) {
  const { t } = useTranslation();
  const { data: fields = [] } = useFields(datasetId);
  const ofFields = fields
    .filter(({ field_type }) => field_type === 'float' || field_type === 'datetime')
    .map(({ field_name }) => ({ value: `field:${field_name}`, label: field_name }));
  const choices = [
    ...ofFields,
    ...SCATTER_NUMBERS.map((value) => ({ value: value as string, label: t(`charts.numbers.${value}`) })),
  ];
  const [axes, setAxes] = useState<{ x?: string; y?: string }>({});
  const x = axes.x ?? ofFields[0]?.value ?? 'width';
  const y = axes.y ?? ofFields[1]?.value ?? 'height';
  const { data } = useOperation(
    'get_scatter',
    { dataset_id: datasetId, ...queryOf(place), entity_type: place.type === 'OBJECTS' ? 'OBJECTS' : 'IMAGES', x, y },
    { staleTime: 60_000, placeholderData: (before) => before },
  );
  const cells = useMemo(() => (data === undefined ? [] : cellsOf(data, x, y)), [data, x, y]);
  const options = useMemo(() => {
    const title = (cell: Cell) => `${cell.name}\n${formatCount(cell.count)}`;
    const most = Math.max(1, ...cells.map(({ count }) => count));
    return {
      style: PLOT_STYLE,
      height: HEIGHT_PX,
      marginLeft: 60,
      x: { label: null, nice: true, inset: 8 },
      y: { label: null, nice: true, grid: true, inset: 8 },
      r: { domain: [0, most], range: [RADIUS_PX.least, RADIUS_PX.most] },
      marks: [
        Plot.dot(cells, { x: 'x', y: 'y', r: 'count', fill: 'var(--accent)', fillOpacity: 0.7 }),
        Plot.tip(cells, Plot.pointer({ x: 'x', y: 'y', title })),
      ],
    };
  }, [cells]);
  return (
    <ChartCard
      title={t('charts.scatter')}
      place={place}
      rows={cells}
      onPick={onPick}
      testId="chart-scatter"
      controls={
        <>
          <ChartChoice
            label={t('charts.xAxis')}
            value={x}
            options={choices}
            onChange={(next) => setAxes({ x: next, y })}
          />
          <ChartChoice
            label={t('charts.yAxis')}
            value={y}
            options={choices}
            onChange={(next) => setAxes({ x, y: next })}
          />
        </>
      }
    >
      <PlotFigure<Cell> options={options} onPick={({ filters }) => onPick(filters)} />
    </ChartCard>
  );
}

function cellsOf(data: Scatter, x: string, y: string): Cell[] {
  const isTime = { x: data.x?.is_time === true, y: data.y?.is_time === true };
  const asBound = (value: number, time: boolean) => (time ? new Date(value).toISOString() : value);
  const asPlace = (from: number, to: number, time: boolean) => (time ? new Date((from + to) / 2) : (from + to) / 2);
  return data.cells.map((cell) => {
    const [xFrom, xTo] = [asBound(cell.x_from, isTime.x), asBound(cell.x_to, isTime.x)];
    const [yFrom, yTo] = [asBound(cell.y_from, isTime.y), asBound(cell.y_to, isTime.y)];
    return {
      name: `${rangeName(xFrom, xTo)} × ${rangeName(yFrom, yTo)}`,
      count: cell.count,
      x: asPlace(cell.x_from, cell.x_to, isTime.x),
      y: asPlace(cell.y_from, cell.y_to, isTime.y),
      filters: [...rangeFilter(x, xFrom, xTo), ...rangeFilter(y, yFrom, yTo)],
    };
  });
}

/** Uniqueness has a filter only for its lower bound, which is exclusive. */
function rangeFilter(axis: string, from: number | string, to: number | string): PlaceFilter[] {
  if (axis.startsWith('field:')) return [{ metadata: { field: axis.slice('field:'.length), op: 'range', from, to } }];
  if (axis === 'uniqueness') return [{ uniqueness: { op: 'uniqueness', value: Math.max(0, Number(from) - 1e-6) } }];
  return [{ [axis]: { op: 'range', from, to } }];
}

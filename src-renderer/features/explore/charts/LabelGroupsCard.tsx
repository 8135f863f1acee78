import * as Plot from '@observablehq/plot';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { LabelGroup } from '../../../../src-main/contract/schemas/charts.ts';
import { queryOf } from '../../../lib/explore-source.ts';
import { useFields } from '../../../lib/fields.ts';
import type { PlaceFilter } from '../../../lib/filters.ts';
import { formatCount } from '../../../lib/format.ts';
import type { Place } from '../../../lib/routes.ts';
import { useOperation } from '../../../lib/use-operation.ts';
import { ChartCard, type ChartRow } from './ChartCard.tsx';
import { ChartChoice } from './ChartChoice.tsx';
import { PlotFigure } from './PlotFigure.tsx';
import { PLOT_STYLE } from './plot-style.ts';

const LINE_PX = 22;
const SPLIT = 'split';

interface CardProps {
  datasetId: string;
  place: Place;
  onPick(filters: readonly PlaceFilter[]): void;
}

type Cell = ChartRow & { label: string; group: string };

/** Labels by split, or by another field, folder or tag. */
export function LabelGroupsCard({ datasetId, place, onPick }: CardProps) {
  const { t } = useTranslation();
  const { data: fields = [] } = useFields(datasetId);
  const named = fields.filter(({ field_type }) => field_type === 'enum' || field_type === 'string');
  const preferred = named.some(({ field_name }) => field_name === SPLIT) ? `field:${SPLIT}` : 'folder';
  const [chosen, setChosen] = useState<string | undefined>(undefined);
  const shown = chosen ?? preferred;
  const field = shown.startsWith('field:') ? shown.slice('field:'.length) : undefined;
  const by: LabelGroup = field !== undefined ? 'field' : shown === 'tag' ? 'tag' : 'folder';
  const { type, ...query } = {
    ...queryOf(place),
    type: place.type === 'OBJECTS' ? ('OBJECTS' as const) : ('IMAGES' as const),
  };
  const { data } = useOperation(
    'get_label_groups',
    { dataset_id: datasetId, ...query, entity_type: type, by, ...(field !== undefined && { field_name: field }) },
    { staleTime: 60_000, placeholderData: (before) => before },
  );
  const cells = useMemo(() => {
    const filterOf = (value: string): PlaceFilter => {
      if (by === 'tag') return { tags: { op: 'is', value: [value] } };
      return by === 'folder'
        ? { folders: { op: 'one_of', value: [value] } }
        : { metadata: { field, op: 'is', value: [value] } };
    };
    return (data?.labels ?? []).flatMap(({ name, counts }) =>
      (data?.groups ?? []).map(
        (group, at): Cell => ({
          name: `${name}, ${group.name}`,
          label: name,
          group: group.name,
          count: counts[at] ?? 0,
          filters: [{ labels: { op: 'is', value: [name] } }, filterOf(group.value)],
        }),
      ),
    );
  }, [data, by, field]);
  const options = useMemo(() => {
    const groups = [...new Set(cells.map(({ group }) => group))];
    const labels = [...new Set(cells.map(({ label }) => label))];
    const title = (cell: Cell) => `${cell.name}\n${formatCount(cell.count)}`;
    return {
      style: PLOT_STYLE,
      height: labels.length * LINE_PX + 40,
      marginLeft: 120,
      color: { domain: groups, range: groups.map((_, at) => `var(--chart-${at})`), legend: groups.length > 1 },
      x: { grid: true, label: null, ticks: 4 },
      y: { label: null, domain: labels },
      marks: [
        Plot.barX(cells, Plot.stackX({ x: 'count', y: 'label', fill: 'group', inset: 1 })),
        Plot.tip(cells, Plot.pointer(Plot.stackX({ x: 'count', y: 'label', z: 'group', title }))),
      ],
    };
  }, [cells]);
  return (
    <ChartCard
      title={t('charts.labelGroups')}
      place={place}
      rows={cells.filter(({ count }) => count > 0)}
      onPick={onPick}
      testId="chart-label-groups"
      controls={
        <ChartChoice
          label={t('charts.labelGroups')}
          value={shown}
          onChange={setChosen}
          options={[
            ...named.map(({ field_name }) => ({ value: `field:${field_name}`, label: field_name })),
            { value: 'folder', label: t('charts.groupBy.folder') },
            { value: 'tag', label: t('charts.groupBy.tag') },
          ]}
        />
      }
    >
      <PlotFigure<Cell> options={options} onPick={({ filters }) => onPick(filters)} />
    </ChartCard>
  );
}

import * as Plot from '@observablehq/plot';
import { type ReactNode, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { Agreement } from '../../../../src-main/contract/schemas/charts.ts';
import { Button } from '../../../components/Button.tsx';
import type { PlaceFilter } from '../../../lib/filters.ts';
import { formatCount } from '../../../lib/format.ts';
import type { Place } from '../../../lib/routes.ts';
import { ChartCard, type ChartRow } from './ChartCard.tsx';
import styles from './Charts.module.css';
import { PlotFigure } from './PlotFigure.tsx';
import { PLOT_STYLE } from './plot-style.ts';

/** Number of confusions listed. */
const N_WORST = 5;
const CELL_PX = 30;
const MARGIN_PX = 90;
/** Cells with at least this share of the most frequent pair have text on the accent. */
const STRONG = 0.5;

interface ConfusionCardProps {
  data: Agreement;
  place: Place;
  controls: ReactNode;
  onPick(filters: readonly PlaceFilter[]): void;
  /** Opens the items of a pair. */
  onOpen(filter: PlaceFilter): void;
}

type Cell = ChartRow & { annotated: string; predicted: string; isRight: boolean; filter: PlaceFilter };

/** Confusion matrix, with the most frequent confusions as buttons that open their items. */
export function ConfusionCard({ data, place, controls, onPick, onOpen }: ConfusionCardProps) {
  const { t } = useTranslation();
  const nothing = t('charts.nothing');
  const cells = useMemo(
    () =>
      data.pairs.map(({ annotated, predicted, count }): Cell => {
        const { confidence_min, compared } = data;
        const filter = { agreement: { op: 'pair', annotated, predicted, confidence_min, compared } };
        const names = { annotated: annotated ?? nothing, predicted: predicted ?? nothing };
        return {
          ...names,
          name: t('charts.pair', names),
          count,
          isRight: annotated === predicted,
          filter,
          filters: [filter],
        };
      }),
    [data, nothing, t],
  );
  const options = useMemo(() => {
    const classes = [...data.classes, nothing];
    const most = Math.max(1, ...cells.map(({ count }) => count));
    const title = (cell: Cell) => `${cell.name}\n${formatCount(cell.count)}`;
    const isStrong = (cell: Cell) => cell.count / most >= STRONG;
    return {
      style: PLOT_STYLE,
      height: classes.length * CELL_PX + MARGIN_PX,
      marginLeft: MARGIN_PX,
      marginBottom: MARGIN_PX - 20,
      padding: 0.04,
      x: { domain: classes, label: t('charts.predictedAxis'), tickRotate: -35 },
      y: { domain: classes, label: t('charts.annotatedAxis') },
      marks: [
        Plot.cell(cells, {
          x: 'predicted',
          y: 'annotated',
          fill: (cell: Cell) => (cell.isRight ? 'var(--accent)' : 'var(--warn)'),
          fillOpacity: (cell: Cell) => 0.15 + 0.85 * Math.sqrt(cell.count / most),
        }),
        Plot.text(cells, {
          x: 'predicted',
          y: 'annotated',
          text: (cell: Cell) => formatCount(cell.count),
          fill: (cell: Cell) => (isStrong(cell) ? 'var(--on-accent)' : 'var(--text-1)'),
        }),
        Plot.tip(cells, Plot.pointer({ x: 'predicted', y: 'annotated', title })),
      ],
    };
  }, [cells, data, nothing, t]);
  const worst = cells.filter(({ isRight }) => !isRight).slice(0, N_WORST);
  return (
    <ChartCard
      title={t('charts.confusion')}
      text={t(`charts.agreementText.${data.compared}`)}
      wide
      place={place}
      rows={cells}
      onPick={onPick}
      controls={controls}
      testId="chart-confusion"
    >
      <PlotFigure<Cell> options={options} onPick={({ filters }) => onPick(filters)} />
      <h3 className={styles.subtitle}>{t('charts.worst')}</h3>
      {worst.length === 0 && <p className={styles.text}>{t('charts.worstNone')}</p>}
      <ul className={styles.worst}>
        {worst.map((cell) => (
          <li key={cell.name}>
            <Button onClick={() => onOpen(cell.filter)} data-testid="confusion">
              {`${cell.name} (${formatCount(cell.count)})`}
            </Button>
          </li>
        ))}
      </ul>
    </ChartCard>
  );
}

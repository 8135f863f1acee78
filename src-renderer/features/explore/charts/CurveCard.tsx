import * as Plot from '@observablehq/plot';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Agreement } from '../../../../src-main/contract/schemas/charts.ts';
import { ChartChoice } from './ChartChoice.tsx';
import styles from './Charts.module.css';
import { PlotFigure } from './PlotFigure.tsx';
import { PLOT_STYLE } from './plot-style.ts';

const HEIGHT_PX = 240;
const ALL = '';

/** Precision and recall by minimum confidence, of all classes or of one. */
export function CurveCard({ data }: { data: Agreement }) {
  const { t } = useTranslation();
  const [chosen, setChosen] = useState(ALL);
  const curve = data.curves.find(({ name }) => name === chosen)?.curve ?? data.overall;
  const percent = (share: number | null) =>
    share === null ? '–' : t('item.percent', { percent: Math.round(share * 100) });
  const options = useMemo(() => {
    const named = (['precision', 'recall'] as const).flatMap((kind) =>
      curve.flatMap(({ confidence, [kind]: share }) =>
        share === null ? [] : [{ confidence, share, kind: t(`charts.${kind}`) }],
      ),
    );
    return {
      style: PLOT_STYLE,
      height: HEIGHT_PX,
      color: {
        domain: [t('charts.precision'), t('charts.recall')],
        range: ['var(--chart-0)', 'var(--chart-1)'],
        legend: true,
      },
      x: { domain: [0, 1], label: t('charts.leastConfidence'), tickFormat: '%' },
      y: { domain: [0, 1], grid: true, label: null, tickFormat: '%' },
      marks: [
        Plot.line(named, { x: 'confidence', y: 'share', stroke: 'kind', strokeWidth: 2 }),
        Plot.ruleX([data.confidence_min], { stroke: 'var(--line-strong)', strokeDasharray: '3 3' }),
        Plot.tip(named, Plot.pointer({ x: 'confidence', y: 'share', stroke: 'kind' })),
      ],
    };
  }, [curve, data, t]);
  const at = (of: Agreement['overall']) =>
    of.findLast(({ confidence }) => confidence <= data.confidence_min + 1e-6) ?? of[0];
  return (
    <section className={styles.card} data-testid="chart-curves">
      <header className={styles.head}>
        <h2 className={styles.title}>{t('charts.curves')}</h2>
        <ChartChoice
          label={t('charts.curveOf')}
          value={chosen}
          onChange={setChosen}
          options={[
            { value: ALL, label: t('charts.allClasses') },
            ...data.classes.map((name) => ({ value: name, label: name })),
          ]}
        />
      </header>
      <PlotFigure options={options} onPick={() => undefined} />
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">{t('charts.class')}</th>
            <th scope="col">{t('charts.precision')}</th>
            <th scope="col">{t('charts.recall')}</th>
          </tr>
        </thead>
        <tbody>
          {data.curves.map(({ name, curve: of }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>{percent(at(of)?.precision ?? null)}</td>
              <td>{percent(at(of)?.recall ?? null)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

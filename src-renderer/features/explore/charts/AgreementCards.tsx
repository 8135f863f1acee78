import { keepPreviousData } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { DEFAULT_AGREEMENT_CONFIDENCE } from '../../../../src-main/contract/schemas/charts.ts';
import { Slider } from '../../../components/Slider.tsx';
import { queryOf } from '../../../lib/explore-source.ts';
import type { PlaceFilter } from '../../../lib/filters.ts';
import { navigate } from '../../../lib/location.ts';
import { type Place, routes } from '../../../lib/routes.ts';
import { useOperation } from '../../../lib/use-operation.ts';
import { BarsCard } from './BarsCard.tsx';
import styles from './Charts.module.css';
import { ConfusionCard } from './ConfusionCard.tsx';
import { CurveCard } from './CurveCard.tsx';

interface AgreementCardsProps {
  datasetId: string;
  place: Place;
  onPick(filters: readonly PlaceFilter[]): void;
}

/** Annotations against predictions: confusions, precision and recall, confidences. */
export function AgreementCards({ datasetId, place, onPick }: AgreementCardsProps) {
  const { t } = useTranslation();
  const [least, setLeast] = useState(DEFAULT_AGREEMENT_CONFIDENCE);
  const { data } = useOperation(
    'get_agreement',
    {
      dataset_id: datasetId,
      ...queryOf(place),
      entity_type: place.type === 'OBJECTS' ? 'OBJECTS' : 'IMAGES',
      confidence_min: least,
    },
    { staleTime: 60_000, placeholderData: keepPreviousData },
  );
  if (data === undefined) return null;
  if (data.n_predicted === 0 || data.n_annotated === 0) {
    return (
      <section className={styles.card} data-testid="chart-agreement-none">
        <h2 className={styles.title}>{t('charts.agreement')}</h2>
        <p className={styles.text}>{t('charts.agreementNone')}</p>
      </section>
    );
  }
  const { compared } = data;
  const percent = t('item.percent', { percent: Math.round(least * 100) });
  const slider = (
    <span className={styles.slider}>
      {t('charts.leastConfidence')} {percent}
      <Slider
        label={t('charts.leastConfidence')}
        min={0}
        max={0.95}
        step={0.05}
        value={least}
        valueText={percent}
        onChange={setLeast}
        testId="agreement-confidence"
      />
    </span>
  );
  /** Opens the items of a pair as a list. */
  const open = (filter: PlaceFilter) =>
    navigate(
      routes.explore(datasetId, { ...place, charts: false, flat: 'similarity', filters: [...place.filters, filter] }),
    );
  return (
    <>
      <ConfusionCard data={data} place={place} controls={slider} onPick={onPick} onOpen={open} />
      <CurveCard data={data} />
      <BarsCard
        title={t('charts.confidences')}
        place={place}
        kind="ranges"
        rows={data.confidences
          .filter(({ count }) => count > 0)
          .map(({ from, to, count }) => ({
            name: `${Math.round(from * 100)} – ${Math.round(to * 100)}%`,
            count,
            filters: [{ confidence: { op: 'range', from, to, compared } }],
          }))}
        onPick={onPick}
        testId="chart-confidences"
      />
    </>
  );
}

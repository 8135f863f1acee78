import { useTranslation } from 'react-i18next';
import { Button } from '../../components/Button.tsx';
import { Chip, ChipValue } from '../../components/Chip.tsx';
import { Offered } from '../../components/Offered.tsx';
import { Segmented } from '../../components/Segmented.tsx';
import { isRanked, labelsFilter, useExplore, wordsFilter } from '../../lib/explore-source.ts';
import { UNLABELED } from '../../lib/labels.ts';
import { navigate } from '../../lib/location.ts';
import { type Place, routes, withoutSearch } from '../../lib/routes.ts';
import { AnchorChip } from './AnchorChip.tsx';
import { FilterChips } from './FilterChips.tsx';
import { FilterCount } from './FilterCount.tsx';
import { QueryImageChip } from './QueryImageChip.tsx';
import styles from './QueryRow.module.css';
import { filterAt } from './query-text/check-query.ts';
import { SaveView } from './SaveView.tsx';
import { useTextSearch } from './use-text-search.ts';

interface QueryRowProps {
  datasetId: string;
  place: Place;
  onEditText(): void;
  onEditLabels(): void;
}

/** All active filters as chips that can be edited or removed. */
export function QueryRow({ datasetId, place, onEditText, onEditLabels }: QueryRowProps) {
  const { t } = useTranslation();
  const { anchor, text, labels, labelMode } = place;
  const names = labels.map((label) => (label === UNLABELED ? t('labels.unlabeled') : label)).join(', ');
  const fault = useFault(datasetId, place);
  return (
    <section className={styles.row} aria-label={t('search.active')} data-testid="query-row">
      {anchor !== undefined &&
        (place.uploaded ? (
          <QueryImageChip datasetId={datasetId} anchor={anchor} place={place} />
        ) : (
          <AnchorChip datasetId={datasetId} anchor={anchor} place={place} />
        ))}
      {text !== undefined && (
        <Chip
          kind={t('search.text')}
          removeLabel={t('search.clear')}
          onRemove={() => navigate(routes.explore(datasetId, withoutSearch(place)))}
          escapes
          testId="text-chip"
          removeTestId="clear-text"
        >
          <ChipValue label={t('search.editText')} onEdit={onEditText}>
            {t('search.quoted', { text })}
          </ChipValue>
          {place.within === 'words' && (
            <FilterCount datasetId={datasetId} type={place.type} filter={wordsFilter(text)} />
          )}
        </Chip>
      )}
      {text !== undefined && <Within datasetId={datasetId} place={place} />}
      {text !== undefined && place.within !== 'words' && <Beyond datasetId={datasetId} place={place} />}
      {labels.length > 0 && (
        <Chip
          kind={t('labels.open')}
          removeLabel={t('search.clearLabels')}
          onRemove={() => navigate(routes.explore(datasetId, { ...place, labels: [] }))}
          escapes={!isRanked(place)}
          testId="label-chip"
          removeTestId="clear-labels"
        >
          <ChipValue label={t('search.editLabels')} onEdit={onEditLabels}>
            {labels.length === 1 && labelMode !== 'none' ? names : `${t(`search.withLabels.${labelMode}`)} ${names}`}
          </ChipValue>
          <FilterCount datasetId={datasetId} type={place.type} filter={labelsFilter(place)} />
        </Chip>
      )}
      <FilterChips datasetId={datasetId} place={place} fault={fault} />
      {Number(isRanked(place)) + labels.length + place.filters.length > 1 && (
        <Button
          kind="quiet"
          onClick={() => navigate(routes.explore(datasetId, { ...withoutSearch(place), labels: [], filters: [] }))}
          data-testid="clear-query"
        >
          {t('search.clearAll')}
        </Button>
      )}
      <Offered operation="create_view" datasetId={datasetId}>
        <SaveView />
      </Offered>
      <Found datasetId={datasetId} place={place} />
    </section>
  );
}

/** The server's error about a filter of the address. */
function useFault(datasetId: string, place: Place): { at: number; detail: string } | undefined {
  const { error } = useExplore(datasetId, place);
  const [named = ''] = Object.keys(error?.fields ?? {});
  const at = filterAt(named);
  if (error === null || at === undefined) return undefined;
  // Text and labels are sent as the first filters.
  const before = Number(place.text !== undefined && place.within !== 'captions') + Number(place.labels.length > 0);
  return { at: at - before, detail: error.detail };
}

/** Selects what the text is compared with, if there is a choice. */
function Within({ datasetId, place }: { datasetId: string; place: Place }) {
  const { t } = useTranslation();
  const search = useTextSearch(datasetId, place.type);
  if (search === undefined || search.length < 2) return null;
  return (
    <Segmented
      label={t('search.searchIn')}
      value={place.within}
      options={search.map((within) => ({ value: within, label: t(`search.within.${within}`) }))}
      onChange={(within) => navigate(routes.explore(datasetId, { ...place, within }))}
      testId="search-within"
    />
  );
}

/** Shows or hides weak matches. */
function Beyond({ datasetId, place }: { datasetId: string; place: Place }) {
  const { t } = useTranslation();
  return (
    <Button
      kind="quiet"
      onClick={() => navigate(routes.explore(datasetId, { ...place, beyond: !place.beyond }))}
      data-testid="search-beyond"
    >
      {t(place.beyond ? 'search.onlyClear' : 'search.beyond')}
    </Button>
  );
}

/** Number of results. For ranked results, which include all items, their order. */
function Found({ datasetId, place }: { datasetId: string; place: Place }) {
  const { t } = useTranslation();
  const { total, within, stale } = useExplore(datasetId, place);
  if (total === undefined || total === 0 || stale) return null;
  const items =
    place.type === 'OBJECTS'
      ? t('common.objects', { count: within ?? total })
      : place.type === 'VIDEOS'
        ? t('common.videos', { count: within ?? total })
        : t('common.images', { count: within ?? total });
  if (place.text !== undefined && (place.within === 'words' || !place.beyond)) {
    return (
      <span className={styles.found} data-testid="found">
        {t('search.foundBest', { items })}
      </span>
    );
  }
  if (isRanked(place)) return <span className={styles.found}>{t('search.best')}</span>;
  const clusters = t('common.clusters', { count: total });
  return (
    <span className={styles.found} data-testid="found">
      {place.type === 'VIDEOS' || place.flat !== undefined ? items : t('search.found', { items, clusters })}
    </span>
  );
}

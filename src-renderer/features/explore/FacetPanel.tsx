import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { Facets } from '../../../src-main/contract/schemas/facets.ts';
import { DEFAULT_LABEL_CONFIDENCE, LEAST_LABEL_CONFIDENCE } from '../../../src-main/contract/schemas/image.ts';
import { ISSUES, type IssueChoice } from '../../../src-main/contract/schemas/issues.ts';
import { Button } from '../../components/Button.tsx';
import { ConfidenceSlider } from '../../components/ConfidenceSlider.tsx';
import { Segmented } from '../../components/Segmented.tsx';
import { Skeleton } from '../../components/Skeleton.tsx';
import { useFacets } from '../../lib/explore-source.ts';
import { filterName, hasFilter, type PlaceFilter, toggleFilter } from '../../lib/filters.ts';
import { formatCount, rangeName } from '../../lib/format.ts';
import { UNLABELED } from '../../lib/labels.ts';
import { navigate } from '../../lib/location.ts';
import { usePreferences } from '../../lib/preferences.ts';
import { type Place, routes } from '../../lib/routes.ts';
import { ExcludedFacet } from './ExcludedFacet.tsx';
import styles from './FacetPanel.module.css';

/** Maximum number of rows per facet. */
const SHOWN = 12;

interface FacetRow {
  name: string;
  count: number;
  filter: PlaceFilter;
}

interface FacetGroup {
  key: string;
  title: string;
  /** Filter that its rows set. */
  kind: string;
  rows: FacetRow[];
}

interface FacetPanelProps {
  datasetId: string;
  place: Place;
  /** Set when the panel covers the results. */
  onClose?: (() => void) | undefined;
}

/** Facet counts of the current query. A click adds a value to the filters, another click removes it. */
export function FacetPanel({ datasetId, place, onClose }: FacetPanelProps) {
  const { t } = useTranslation();
  const { labelConfidence, facetShares, set } = usePreferences();
  const { data: facets, error, refetch } = useFacets(datasetId, place, labelConfidence);
  const isCovering = onClose !== undefined;
  const panel = useRef<HTMLElement>(null);
  const hasContent = facets !== undefined;
  useEffect(() => {
    if (isCovering && hasContent) panel.current?.focus();
  }, [isCovering, hasContent]);
  if (facets === undefined) {
    return (
      <aside className={styles.panel} aria-label={t('facets.title')} data-covering={isCovering}>
        {error === null ? (
          <Skeleton style={{ height: 160, margin: 12 }} />
        ) : (
          <p className={styles.failed} data-testid="facets-failed">
            {t('facets.failed')}
            <Button onClick={() => void refetch()}>{t('common.retry')}</Button>
          </p>
        )}
      </aside>
    );
  }
  const groups: FacetGroup[] = groupsOf(facets, labelConfidence, {
    unlabeled: t('labels.unlabeled'),
    untagged: t('facets.untagged'),
    image: t('explore.views.IMAGES'),
    video_frame: t('facets.frames'),
    issues: t('issues.names', { returnObjects: true }),
  }).map(({ name, rows }): FacetGroup => ({ key: name, title: t(`facets.groups.${name}`), kind: name, rows }));
  groups.push(...groupsOfFields(facets));
  const toggle = (filter: PlaceFilter) => {
    const filters = toggleFilter(place.filters, filter);
    // Images with an issue or a tag are looked at one by one, so they are listed flat.
    const isFlat = filters.length > place.filters.length && ['issues', 'tags'].includes(filterName(filter));
    const isGrouped = place.flat === undefined && place.map === undefined && !place.charts && !place.table;
    const issue = ISSUES.find((one) => one === filter.issues?.value);
    const order = { flat: issue ?? ('similarity' as const), descending: issue !== undefined };
    navigate(routes.explore(datasetId, { ...place, ...(isFlat && isGrouped && order), filters }));
  };
  return (
    <aside
      ref={panel}
      className={styles.panel}
      aria-label={t('facets.title')}
      tabIndex={-1}
      data-covering={isCovering}
      data-testid="facets"
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || onClose === undefined) return;
        event.preventDefault();
        onClose();
      }}
    >
      {groups.length > 0 && (
        <div className={styles.numbers}>
          <Segmented
            label={t('facets.numbers')}
            value={facetShares ? 'share' : 'count'}
            options={[
              { value: 'count', label: t('facets.counts'), icon: '#' },
              { value: 'share', label: t('facets.shares'), icon: '%' },
            ]}
            narrow="always"
            onChange={(value) => set({ facetShares: value === 'share' })}
            testId="facet-numbers"
          />
        </div>
      )}
      {groups.map(({ key, title, kind, rows }) => (
        <section key={key} className={styles.group}>
          <h2 className={styles.title} title={title}>
            {title}
          </h2>
          {kind === 'labels' && facets.labels_have_confidence && (
            <div className={styles.confidence}>
              <ConfidenceSlider of="labelConfidence" min={LEAST_LABEL_CONFIDENCE} />
            </div>
          )}
          {rows.slice(0, SHOWN).map((row) => (
            <button
              key={JSON.stringify(row.filter)}
              type="button"
              className={styles.row}
              aria-pressed={hasFilter(place.filters, row.filter)}
              title={row.name}
              data-testid={`facet-${kind}`}
              onClick={() => toggle(row.filter)}
            >
              <span className={styles.name}>{row.name}</span>
              <span className={styles.count}>
                {facetShares
                  ? t('item.percent', { percent: percentOf(row.count, facets.total) })
                  : formatCount(row.count)}
              </span>
              <span className={styles.share} style={{ width: `${(100 * row.count) / Math.max(1, facets.total)}%` }} />
            </button>
          ))}
        </section>
      ))}
      <ExcludedFacet datasetId={datasetId} place={place} />
      {onClose !== undefined && (
        <div className={styles.footer}>
          <Button kind="primary" onClick={onClose} data-testid="close-facets">
            {t('facets.show', { items: t('common.items', { count: facets.total }) })}
          </Button>
        </div>
      )}
    </aside>
  );
}

/** Whole percent; one decimal below one percent, so that few are not shown as none. */
function percentOf(count: number, total: number): number {
  const percent = (100 * count) / Math.max(1, total);
  return percent < 1 ? Math.ceil(percent * 10) / 10 : Math.round(percent);
}

type Names = Record<'unlabeled' | 'untagged' | 'image' | 'video_frame', string> & {
  issues: Record<IssueChoice, string>;
};
type GroupName = 'issues' | 'labels' | 'tags' | 'folders' | 'types' | 'widths' | 'taken' | 'created';

/** Facets with at least two values, or with an active filter that can be removed. */
function groupsOf(facets: Facets, labelConfidence: number, names: Names): { name: GroupName; rows: FacetRow[] }[] {
  const lowered = labelConfidence === DEFAULT_LABEL_CONFIDENCE ? {} : { confidence_min: labelConfidence };
  const labels = facets.labels.map(({ name, count }) => ({
    name,
    count,
    filter: { labels: { op: 'is', value: [name], ...lowered } },
  }));
  const tags = facets.tags.map(({ name, tag_id, count }) => ({
    name,
    count,
    filter: { tags: { op: 'is', value: [tag_id] } },
  }));
  const without = (kind: 'labels' | 'tags', value: string, name: string, count: number): FacetRow[] =>
    count === 0 ? [] : [{ name, count, filter: { [kind]: { op: 'is', value: [value] } } }];
  const groups: { name: GroupName; rows: FacetRow[] }[] = [
    {
      name: 'tags',
      rows: [...tags, ...(tags.length > 0 ? without('tags', 'untagged', names.untagged, facets.n_untagged) : [])],
    },
    {
      name: 'labels',
      rows: [
        ...labels.slice(0, SHOWN - 1),
        ...(labels.length > 0 ? without('labels', UNLABELED, names.unlabeled, facets.n_unlabeled) : []),
      ],
    },
    {
      name: 'issues',
      rows: facets.issues.map(({ name, count }) => ({
        name: names.issues[name],
        count,
        filter: { issues: { op: 'issue', value: name } },
      })),
    },
    {
      name: 'types',
      rows: facets.media_types.map(({ name, count }) => ({
        name: names[name],
        count,
        filter: { media_type: { op: 'one_of', value: [name] } },
      })),
    },
    {
      name: 'folders',
      rows: facets.folders.flatMap(({ name, count }) =>
        name === '' ? [] : [{ name, count, filter: { folders: { op: 'one_of', value: [name] } } }],
      ),
    },
    {
      name: 'widths',
      rows: facets.widths.map(({ from, to, count }) => ({
        name: `${from}–${to} px`,
        count,
        filter: { width: { op: 'range', from, to } },
      })),
    },
    ...(['taken', 'created'] as const).map((name) => ({
      name,
      rows: facets[name].map(({ from, to, count }) => ({
        name: rangeName(from, to),
        count,
        filter: { [name]: { op: 'range', from, to } },
      })),
    })),
  ];
  const always: readonly GroupName[] = ['labels', 'tags', 'issues'];
  return groups.filter(({ name, rows }) => rows.length > (always.includes(name) ? 0 : 1));
}

/** One group per custom field with values in the results. Fields in which all values differ are left out. */
function groupsOfFields({ metadata }: Facets): FacetGroup[] {
  const groups = metadata.map(({ field_name: field, field_type, values, ranges }): FacetGroup => {
    const op = field_type === 'enum' ? 'is' : 'one_of';
    const isUseful = values.length <= SHOWN || values.some(({ count }) => count > 1);
    const ofValues = (isUseful ? values : []).map(({ name, count }) => ({
      name,
      count,
      filter: { metadata: { field, op, value: [name] } },
    }));
    const ofRanges = ranges.map(({ from, to, count }) => ({
      name: rangeName(from, to),
      count,
      filter: { metadata: { field, op: 'range', from, to } },
    }));
    return { key: `field ${field}`, title: field, kind: 'metadata', rows: [...ofValues, ...ofRanges] };
  });
  return groups.filter(({ rows }) => rows.length > 0);
}

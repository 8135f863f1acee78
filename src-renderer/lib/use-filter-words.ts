import { useTranslation } from 'react-i18next';
import { type IssueChoice, SURE_OF_ISSUE } from '../../src-main/contract/schemas/issues.ts';
import { REVIEW_KINDS, VERDICTS } from '../../src-main/contract/schemas/review.ts';
import { filterName, type PlaceFilter } from './filters.ts';
import { rangeName } from './format.ts';
import { UNLABELED } from './labels.ts';
import { useTags } from './tags.ts';

/** Maximum number of values that are listed. More are counted. */
const MAX_NAMED = 3;

/** Filters that are named by their subject alone. */
const KINDS = [
  ...(['labels', 'tags', 'folders', 'files', 'captions', 'similarity', 'uniqueness', 'media', 'media_type'] as const),
  ...(['width', 'height', 'created', 'taken', 'excluded', 'duplicates', 'issues'] as const),
] as const;
const PATTERNS = ['contains', 'starts_with', 'ends_with'] as const;

export interface FilterWords {
  /** Subject of the filter. */
  kind: string;
  /** Its value in words. */
  words: string;
}

/** Describes a filter in words. */
export function useFilterWords(datasetId: string): (filter: PlaceFilter) => FilterWords {
  const { t } = useTranslation();
  const tags = useTags(datasetId);
  const names = new Map<unknown, string>([
    [UNLABELED, t('labels.unlabeled')],
    ['untagged', t('facets.untagged')],
    ['image', t('explore.views.IMAGES')],
    ['video_frame', t('facets.frames')],
    [true, t('search.yes')],
    [false, t('search.no')],
    ...(tags ?? []).map(({ id, name }): [string, string] => [id, name]),
  ]);
  const percent = (share: unknown) => Math.round(Number(share) * 100);
  const ofIssue = ({ value, mode, confidence_min: least = SURE_OF_ISSUE }: PlaceFilter[string]) => {
    const name = t(`issues.names.${value as IssueChoice}`);
    const confidence = t('item.percent', { percent: percent(least) });
    return [
      mode === 'out' ? t('issues.without', { name }) : name,
      ...(value !== 'normal' && least !== SURE_OF_ISSUE ? [t('issues.atLeast', { confidence })] : []),
    ].join(' ');
  };
  const ofReview = ({ op, value, verdict }: PlaceFilter[string]) => {
    const queue = String(value);
    const kind = REVIEW_KINDS.find((one) => one === queue);
    const name =
      kind === undefined || kind === 'query' || kind === 'unlabeled'
        ? t(`review.names.${kind ?? 'query'}`)
        : t(`issues.names.${kind}`);
    const decision = VERDICTS.find((one) => one === verdict);
    const words = decision === undefined ? name : `${name}: ${t(`review.verdicts.${decision}`)}`;
    return op === 'is_not' ? t('issues.without', { name: words }) : words;
  };
  const ofRange = ({ from, to }: PlaceFilter[string]) => {
    if (typeof from === 'string' && typeof to === 'string') return rangeName(from, to);
    const day = (bound: unknown) => String(bound ?? '').replace(/T.*/, '');
    return `${day(from)} – ${day(to)}`;
  };
  const ofAgreement = ({ annotated, predicted }: PlaceFilter[string]) => {
    const nothing = t('charts.nothing');
    return t('charts.pair', { annotated: annotated ?? nothing, predicted: predicted ?? nothing });
  };
  const ofValues = ({ op, value }: PlaceFilter[string]) => {
    const values = [value].flat().map((one) => names.get(one) ?? String(one));
    const shown = values.length > MAX_NAMED ? t('facets.several', { count: values.length }) : values.join(', ');
    if (op === 'is_not' || op === 'not_one_of') return t('search.not', { values: shown });
    if (op === 'is' && Array.isArray(value) && value.length > 1) return `${t('search.withLabels.all')} ${shown}`;
    const pattern = PATTERNS.find((one) => one === op);
    return pattern === undefined ? shown : t(`search.patterns.${pattern}`, { values: shown });
  };
  return (filter) => {
    const name = filterName(filter);
    const body = filter[name] ?? {};
    const known = KINDS.find((one) => one === name);
    const other = name === 'metadata' ? String(body.field) : sentenceCase(name);
    const about = known === undefined ? other : t(`search.kinds.${known}`);
    const named = (words: string, kind = about) => ({ kind, words });
    if (name === 'issues') return named(ofIssue(body));
    if (name === 'map') return named(t('map.area'));
    if (name === 'clusters') return named(t('map.clusters', { count: [body.value].flat().length }));
    if (name === 'agreement') return named(ofAgreement(body), t('charts.agreement'));
    if (name === 'confidence') {
      return named(`${percent(body.from ?? 0)}–${percent(body.to ?? 1)}%`, t('charts.confidence'));
    }
    if (name === 'object_confidence') {
      const least = t('item.percent', { percent: percent(body.value) });
      return named(t('objects.atLeast', { percent: least }), t('objects.confidence'));
    }
    if (name === 'reviewed') return named(ofReview(body), t('review.title'));
    if (name === 'duplicates' || name === 'uniqueness')
      return named(t('duplicates.atLeast', { percent: percent(body.value) }));
    if (body.op === 'fts' || body.op === 'semantic') {
      const text = t('search.quoted', { text: String(body.value) });
      return name === 'text' ? named(text, t('search.text')) : named(text);
    }
    if (body.op === 'range') return named(ofRange(body));
    if (body.op === 'gt' || body.op === 'lt' || body.op === 'eq') {
      return named(`${t(`fields.symbols.${body.op}`)} ${String(body.value)}`);
    }
    return named(ofValues(body));
  };
}

/** `media_type` → `Media type`. */
function sentenceCase(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1).replaceAll('_', ' ');
}

import { Braces } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../../components/Button.tsx';
import { CopyButton } from '../../../components/CopyButton.tsx';
import { IconButton } from '../../../components/IconButton.tsx';
import { Popover } from '../../../components/Popover.tsx';
import { asCurl, useExplore, vqlOf } from '../../../lib/explore-source.ts';
import { readFilters } from '../../../lib/filters.ts';
import { useThreshold } from '../../../lib/granularity.ts';
import { navigate } from '../../../lib/location.ts';
import { type Place, routes, withoutSearch } from '../../../lib/routes.ts';
import { checkQuery, rangeOfPlace } from './check-query.ts';
import { QueryEditor } from './QueryEditor.tsx';
import styles from './QueryText.module.css';
import { RecentList } from './RecentList.tsx';
import { useCompletion } from './use-completion.ts';
import { useQueryValues } from './use-query-values.ts';

/** The query as VQL, which can be edited, and as an API call. */
export function QueryText({ datasetId, place }: { datasetId: string; place: Place }) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  const vql = vqlOf(place) ?? '[]';
  const [draft, setDraft] = useState(vql);
  const values = useQueryValues(datasetId, place.type, open);
  const completion = useCompletion(draft, setDraft, values);
  const threshold = useThreshold(datasetId, place);
  const refused = useRefusal(datasetId, place);
  const fault = checkQuery(draft) ?? (draft === vql ? refused : undefined);
  const isQuery = checkQuery(draft) === undefined;

  const apply = (query: string) => {
    setOpen(false);
    const { threshold: level, type } = withoutSearch(place);
    const { flat, descending, map } = place;
    navigate(routes.explore(datasetId, { threshold: level, type, flat, descending, map, filters: readFilters(query) }));
  };
  const submit = () => {
    if (isQuery) apply(draft);
  };
  return (
    <Popover
      open={open}
      onOpenChange={(next) => {
        setDraft(vql);
        setOpen(next);
      }}
      label={t('queryText.title')}
      trigger={<IconButton label={t('queryText.title')} icon={<Braces size={16} />} data-testid="query-text" />}
      testId="query-text-popover"
      wide
      onEscape={(event) => {
        if (completion.suggestions.length === 0) return;
        event.preventDefault();
        completion.close();
      }}
    >
      <form
        className={styles.form}
        onSubmit={(event: FormEvent) => {
          event.preventDefault();
          submit();
        }}
      >
        <label className={styles.label} htmlFor="query-vql">
          {t('queryText.title')}
        </label>
        <QueryEditor id="query-vql" text={draft} fault={fault} completion={completion} onSubmit={submit} />
        <div className={styles.actions}>
          <span className={styles.call}>{t('queryText.curl')}</span>
          <CopyButton text={asCurl(datasetId, place, threshold)} what={t('queryText.curl')} />
          <Button kind="primary" type="submit" disabled={!isQuery}>
            {t('queryText.apply')}
          </Button>
        </div>
        <RecentList datasetId={datasetId} current={vql} onPick={apply} />
      </form>
    </Popover>
  );
}

/** The server's error about the current query, with its position. */
function useRefusal(datasetId: string, place: Place) {
  const { error } = useExplore(datasetId, place);
  const [named] = Object.keys(error?.fields ?? {});
  // A caption is sent separately from the VQL.
  const isAsSent = place.text === undefined || place.within !== 'captions';
  if (error === null || named?.startsWith('vql') !== true || !isAsSent) return undefined;
  return { detail: error.detail, ...rangeOfPlace(vqlOf(place) ?? '[]', named) };
}

import { Braces } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../components/Button.tsx';
import { CopyButton } from '../../components/CopyButton.tsx';
import { IconButton } from '../../components/IconButton.tsx';
import { Popover } from '../../components/Popover.tsx';
import { asCurl, vqlOf } from '../../lib/explore-source.ts';
import { readFilters } from '../../lib/filters.ts';
import { useThreshold } from '../../lib/granularity.ts';
import { navigate } from '../../lib/location.ts';
import { type Place, routes, withoutSearch } from '../../lib/routes.ts';
import styles from './QueryText.module.css';

/** The query as VQL, to read and change, and as a call of the API. */
export function QueryText({ datasetId, place }: { datasetId: string; place: Place }) {
  const { t } = useTranslation();
  const threshold = useThreshold(datasetId, place);
  const vql = vqlOf(place) ?? '[]';
  const [open, setOpen] = useState(false);
  const [draft, setDraft] = useState(vql);
  const isList = draft.trim() === '[]' || readFilters(draft).length > 0;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isList) return;
    setOpen(false);
    const { threshold, type } = withoutSearch(place);
    const { flat, descending } = place;
    navigate(routes.explore(datasetId, { threshold, type, flat, descending, filters: readFilters(draft) }));
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
    >
      <form className={styles.form} onSubmit={submit}>
        <label className={styles.label} htmlFor="query-vql">
          {t('queryText.title')}
        </label>
        <textarea
          id="query-vql"
          className={styles.text}
          rows={6}
          spellCheck={false}
          value={draft}
          aria-invalid={!isList}
          data-testid="query-vql"
          onChange={(event) => setDraft(event.target.value)}
        />
        {!isList && <p className={styles.wrong}>{t('queryText.wrong')}</p>}
        <div className={styles.actions}>
          <span className={styles.call}>{t('queryText.curl')}</span>
          <CopyButton text={asCurl(datasetId, place, threshold)} what={t('queryText.curl')} />
          <Button kind="primary" type="submit" disabled={!isList}>
            {t('queryText.apply')}
          </Button>
        </div>
      </form>
    </Popover>
  );
}

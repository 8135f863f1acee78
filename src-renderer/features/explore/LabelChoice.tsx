import { type KeyboardEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../components/Button.tsx';
import { Segmented } from '../../components/Segmented.tsx';
import { Skeleton } from '../../components/Skeleton.tsx';
import { formatCount } from '../../lib/format.ts';
import { type LabelCount, UNLABELED, useLabels } from '../../lib/labels.ts';
import { navigate } from '../../lib/location.ts';
import { LABEL_MODES, type Place, routes } from '../../lib/routes.ts';
import styles from './LabelChoice.module.css';

/** Maximum number of rows shown. Others are found by typing. */
const SHOWN = 200;

interface LabelChoiceProps {
  datasetId: string;
  place: Place;
  onChange(filter: Pick<Place, 'labels' | 'labelMode'>): void;
}

/** The labels of the results with their counts: any number can be ticked, with a mode that combines them. */
export function LabelChoice({ datasetId, place, onChange }: LabelChoiceProps) {
  const { t } = useTranslation();
  const { labels: chosen, labelMode: mode, type } = place;
  const [find, setFind] = useState('');
  // Initially ticked labels stay on top, so that no row moves under the pointer.
  const [first] = useState(chosen);
  const labels = useLabels(datasetId, type);
  if (labels === undefined) return <Skeleton style={{ height: 200, margin: 12 }} />;
  if (labels.length === 0 && chosen.length === 0) return <NoLabels datasetId={datasetId} />;

  const matching = rowsOf(labels, first, type !== 'OBJECTS').filter((row) =>
    nameOf(row.name).toLocaleLowerCase().includes(find.trim().toLocaleLowerCase()),
  );
  const shown = matching.slice(0, SHOWN);
  const more = matching.length - shown.length;
  function nameOf(label: string): string {
    return label === UNLABELED ? t('labels.unlabeled') : label;
  }
  const toggle = (label: string) => {
    const labels = chosen.includes(label) ? chosen.filter((one) => one !== label) : [...chosen, label];
    onChange({ labels, labelMode: labels.length === 0 ? 'any' : mode });
  };
  // An object has only one label, so "all of" several never matches.
  const modes = LABEL_MODES.filter((one) => type !== 'OBJECTS' || one !== 'all');
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: arrows go between the field and the rows, as in any list
    <div className={styles.choice} onKeyDown={moveByArrows}>
      <input
        className={styles.find}
        value={find}
        placeholder={t('labels.find')}
        aria-label={t('labels.find')}
        spellCheck={false}
        autoComplete="off"
        data-testid="label-find"
        onChange={(event) => setFind(event.target.value)}
        onKeyDown={(event) => {
          const [only] = shown;
          if (event.key === 'Enter' && find !== '' && only !== undefined) toggle(only.name);
        }}
      />
      <div className={styles.mode}>
        <Segmented
          label={t('labels.mode')}
          value={mode}
          options={modes.map((value) => ({ value, label: t(`labels.modes.${value}`) }))}
          onChange={(labelMode) => onChange({ labels: chosen, labelMode })}
          disabled={chosen.length === 0}
          testId="label-mode"
        />
        {chosen.length > 0 && (
          <Button kind="quiet" onClick={() => onChange({ labels: [], labelMode: 'any' })}>
            {t('labels.clear')}
          </Button>
        )}
      </div>
      <ul className={styles.list} aria-label={t('labels.open')}>
        {shown.map(({ name, count }) => (
          <li key={name}>
            <label className={styles.row} data-testid="label-row">
              <input type="checkbox" checked={chosen.includes(name)} onChange={() => toggle(name)} />
              <span className={name === UNLABELED ? styles.unlabeled : styles.name} title={nameOf(name)}>
                {nameOf(name)}
              </span>
              {count !== undefined && <span className={styles.count}>{formatCount(count)}</span>}
            </label>
          </li>
        ))}
        {shown.length === 0 && <li className={styles.none}>{t('labels.noMatch')}</li>}
        {more > 0 && <li className={styles.none}>{t('labels.more', { count: more })}</li>}
      </ul>
    </div>
  );
}

/** Initially ticked labels, then "without labels", then labels by frequency. The label of a stale link has no count. */
function rowsOf(
  labels: readonly LabelCount[],
  first: readonly string[],
  withUnlabeled: boolean,
): { name: string; count: number | undefined }[] {
  const counts = new Map(labels.map(({ name, count }) => [name, count]));
  const names = new Set([...first, ...(withUnlabeled ? [UNLABELED] : []), ...counts.keys()]);
  return [...names].map((name) => ({ name, count: counts.get(name) }));
}

function moveByArrows(event: KeyboardEvent<HTMLDivElement>): void {
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
  if (!(event.target instanceof HTMLInputElement)) return;
  const inputs = [...event.currentTarget.querySelectorAll('input')];
  const at = inputs.indexOf(event.target);
  event.preventDefault();
  inputs[event.key === 'ArrowDown' ? at + 1 : at - 1]?.focus();
}

function NoLabels({ datasetId }: { datasetId: string }) {
  const { t } = useTranslation();
  return (
    <div className={styles.empty} data-testid="no-labels">
      <strong>{t('labels.emptyTitle')}</strong>
      <p>{t('labels.emptyText')}</p>
      <Button onClick={() => navigate(routes.enrich(datasetId))}>{t('search.toEnrich')}</Button>
    </div>
  );
}

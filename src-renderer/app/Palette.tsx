import { type KeyboardEvent, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Dialog } from '../components/Dialog.tsx';
import { StatusBadge } from '../components/StatusBadge.tsx';
import { useAccount, useMay, usePeoplePage } from '../lib/account.ts';
import { useAddMediaRequest } from '../lib/add-media-request.ts';
import { useAlertsRequest } from '../lib/alerts-request.ts';
import { useDatasetHere } from '../lib/dataset-here.ts';
import { type DatasetState, isExplorable, stateOf, useDatasets } from '../lib/datasets.ts';
import { navigate } from '../lib/location.ts';
import { useNewDatasetRequest } from '../lib/new-dataset-request.ts';
import { toggleTheme } from '../lib/preferences.ts';
import { routes } from '../lib/routes.ts';
import { useSnapshotsRequest } from '../lib/snapshots-request.ts';
import styles from './Palette.module.css';

const MAX_DATASETS = 50;

interface Entry {
  id: string;
  text: string;
  group: string;
  state?: DatasetState;
  run(): void;
}

/** Command palette: all datasets and actions by name. */
export function Palette({ onClose }: { onClose(): void }) {
  const { t } = useTranslation();
  const listId = useId();
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState(0);
  const entries = useEntries(text);
  const active = Math.min(chosen, entries.length - 1);
  const run = (entry: Entry | undefined) => {
    if (entry === undefined) return;
    onClose();
    entry.run();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown') setChosen(Math.min(entries.length - 1, active + 1));
    else if (event.key === 'ArrowUp') setChosen(Math.max(0, active - 1));
    else if (event.key === 'Enter') run(entries[active]);
    else return;
    event.preventDefault();
  };
  return (
    <Dialog open bare onClose={onClose} title={t('palette.title')} width={560} testId="palette">
      <input
        className={styles.input}
        value={text}
        placeholder={t('palette.placeholder')}
        aria-label={t('palette.placeholder')}
        role="combobox"
        aria-expanded="true"
        aria-controls={listId}
        aria-activedescendant={entries[active] === undefined ? undefined : `${listId}-${active}`}
        spellCheck={false}
        onChange={(event) => {
          setText(event.target.value);
          setChosen(0);
        }}
        onKeyDown={onKeyDown}
      />
      <div id={listId} className={styles.list} role="listbox" aria-label={t('palette.title')}>
        {entries.map((entry, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are handled by the combobox
          <div
            key={entry.id}
            id={`${listId}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === active}
            className={styles.entry}
            ref={(element) => {
              if (index === active) element?.scrollIntoView({ block: 'nearest' });
            }}
            onMouseMove={() => setChosen(index)}
            onClick={() => run(entry)}
          >
            <span className={styles.text}>{entry.text}</span>
            {entry.state !== undefined ? (
              <StatusBadge state={entry.state} />
            ) : (
              <span className={styles.group}>{entry.group}</span>
            )}
          </div>
        ))}
        {entries.length === 0 && <p className={styles.none}>{t('palette.none')}</p>}
      </div>
    </Dialog>
  );
}

function useEntries(text: string): Entry[] {
  const { t } = useTranslation();
  const { data: datasets = [] } = useDatasets();
  const group = t('palette.actions');
  const here = useDatasetHere();
  const { data: account } = useAccount();
  const may = useMay();
  const people = usePeoplePage();
  const ofHere: Entry[] =
    here === undefined || !isExplorable(here)
      ? []
      : [
          ...when(may('add_media', here), {
            id: 'add-media',
            group,
            text: t('addMedia.actionNamed', { name: here.display_name }),
            run: () => useAddMediaRequest.getState().open(here.id),
          }),
          {
            id: 'data',
            group,
            text: t('data.openNamed', { name: here.display_name }),
            run: () => navigate(routes.data(here.id)),
          },
          {
            id: 'views',
            group,
            text: t('views.openNamed', { name: here.display_name }),
            run: () => navigate(routes.views(here.id)),
          },
          ...when(may('decide_review', here), {
            id: 'review',
            group,
            text: t('review.openNamed', { name: here.display_name }),
            run: () => navigate(routes.review(here.id)),
          }),
          ...when(may('enrich_dataset', here), {
            id: 'enrich',
            group,
            text: t('enrich.openNamed', { name: here.display_name }),
            run: () => navigate(routes.enrich(here.id)),
          }),
          ...when(may('list_snapshots', here), {
            id: 'snapshots',
            group,
            text: t('snapshots.openNamed', { name: here.display_name }),
            run: () => useSnapshotsRequest.getState().open(here.id),
          }),
        ];
  const actions: Entry[] = [
    ...ofHere,
    ...when(may('create_dataset'), {
      id: 'new',
      group,
      text: t('inventory.newDataset'),
      run: () => useNewDatasetRequest.getState().open(),
    }),
    { id: 'datasets', group, text: t('nav.datasets'), run: () => navigate(routes.inventory()) },
    { id: 'alerts', group, text: t('alerts.title'), run: () => useAlertsRequest.getState().setOpen(true) },
    { id: 'tasks', group, text: t('nav.tasks'), run: () => navigate(routes.tasks()) },
    { id: 'models', group, text: t('nav.models'), run: () => navigate(routes.models()) },
    { id: 'settings', group, text: t('nav.settings'), run: () => navigate(routes.settings()) },
    { id: 'api', group, text: t('api.title'), run: () => navigate(routes.api()) },
    ...when(account?.authentication === true, {
      id: 'account',
      group,
      text: t('account.title'),
      run: () => navigate(routes.account()),
    }),
    ...when(people !== undefined, {
      id: 'people',
      group,
      text: t('nav.people'),
      run: () => people !== undefined && navigate(people),
    }),
    { id: 'theme', group, text: t('palette.theme'), run: toggleTheme },
  ];
  const wanted = text.trim().toLocaleLowerCase();
  const matches = (entry: Entry) => entry.text.toLocaleLowerCase().includes(wanted);
  const found = datasets
    .map((dataset) => ({
      id: dataset.id,
      text: dataset.display_name,
      group: t('palette.datasets'),
      state: stateOf(dataset),
      run: () => navigate(routes.explore(dataset.id)),
    }))
    .filter(matches)
    .slice(0, MAX_DATASETS);
  return [...found, ...actions.filter(matches)];
}

function when(offered: boolean, entry: Entry): Entry[] {
  return offered ? [entry] : [];
}

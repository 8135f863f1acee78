import { type KeyboardEvent, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Dialog } from '../components/Dialog.tsx';
import { StatusBadge } from '../components/StatusBadge.tsx';
import styles from './Palette.module.css';
import { type PaletteEntry, usePaletteEntries } from './palette-entries.ts';

/** Command palette: all datasets, actions, and filters of the current dataset, by name. */
export function Palette({ onClose }: { onClose(): void }) {
  const { t } = useTranslation();
  const listId = useId();
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState(0);
  const entries = usePaletteEntries(text);
  const active = Math.min(chosen, entries.length - 1);
  const run = (entry: PaletteEntry | undefined) => {
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
      <div role="status" className="visually-hidden">
        {t('palette.found', { count: entries.length })}
      </div>
    </Dialog>
  );
}

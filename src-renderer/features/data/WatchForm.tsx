import { type FormEvent, type KeyboardEvent, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../components/Button.tsx';
import { FolderBrowser } from '../../components/FolderBrowser.tsx';
import form from '../../components/Form.module.css';
import { patternsOf, useWatchActions } from './use-watched-folders.ts';
import styles from './WatchForm.module.css';

/** Adds a watched folder. */
export function WatchForm({ datasetId }: { datasetId: string }) {
  const { t } = useTranslation();
  const id = useId();
  const [path, setPath] = useState('');
  const [exclude, setExclude] = useState('');
  const [missing, setMissing] = useState(false);
  /** Folder that the browser lists. Updated when the path is complete, not on every key. */
  const [listed, setListed] = useState<string | null>(null);
  const { add } = useWatchActions(datasetId);
  const field = useRef<HTMLInputElement>(null);
  const bridge = window.vitrine;
  const error = missing ? t('data.watchPathNeeded') : (add.error?.fields.exclude ?? add.error?.detail);

  const choose = (next: string) => {
    setPath(next);
    setMissing(false);
    add.reset();
  };
  const go = (next: string) => {
    choose(next);
    setListed(next);
  };
  const browse = async () => {
    if (bridge === undefined) setListed(listed === null ? path : null);
    else {
      const chosen = await bridge.chooseFolder();
      if (chosen !== null) choose(chosen);
    }
  };
  // Esc closes the folder browser and never leaves the page with unsaved input.
  const onEscape = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return;
    event.preventDefault();
    setListed(null);
    field.current?.focus();
  };
  const onEnter = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || bridge !== undefined || path.trim() === '') return;
    event.preventDefault();
    go(path);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setMissing(path.trim() === '');
    if (path.trim() === '' || add.isPending) return;
    add.mutate(
      { path, exclude: patternsOf(exclude) },
      {
        onSuccess: () => {
          setPath('');
          setExclude('');
          setListed(null);
        },
      },
    );
  };
  return (
    <form className={styles.form} onSubmit={submit} onKeyDown={onEscape}>
      <div className={form.field}>
        <label htmlFor={`${id}-path`}>{t('data.watchPath')}</label>
        <div className={styles.path}>
          <input
            ref={field}
            id={`${id}-path`}
            className={form.input}
            value={path}
            spellCheck={false}
            autoComplete="off"
            placeholder={t('source.folderPlaceholder')}
            aria-invalid={error !== undefined}
            aria-describedby={`${id}-error`}
            data-testid="watch-path"
            onChange={(event) => choose(event.target.value)}
            onKeyDown={onEnter}
          />
          <Button
            className={styles.button}
            aria-expanded={bridge === undefined ? listed !== null : undefined}
            onClick={() => void browse()}
          >
            {t('data.browse')}
          </Button>
        </div>
      </div>
      <div className={form.field}>
        <label htmlFor={`${id}-exclude`}>{t('data.watchIgnore')}</label>
        <input
          id={`${id}-exclude`}
          className={form.input}
          value={exclude}
          spellCheck={false}
          autoComplete="off"
          placeholder={t('data.watchIgnorePlaceholder')}
          onChange={(event) => setExclude(event.target.value)}
        />
      </div>
      <Button type="submit" className={styles.button} disabled={add.isPending} data-testid="watch-add">
        {t('data.watch')}
      </Button>
      <p id={`${id}-error`} className={`${form.error} ${styles.wide}`} role="alert">
        {error}
      </p>
      {listed !== null && (
        <div className={styles.wide}>
          <FolderBrowser
            path={listed}
            quiet={error !== undefined}
            onGo={go}
            onHome={(home) => path === '' && go(home)}
          />
        </div>
      )}
    </form>
  );
}

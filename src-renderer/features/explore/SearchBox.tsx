import { Search, X } from 'lucide-react';
import { type FormEvent, type RefObject, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Key } from '../../components/Key.tsx';
import field from '../../components/SearchField.module.css';
import { navigate, useHashPath } from '../../lib/location.ts';
import { type Place, routes, withoutSearch } from '../../lib/routes.ts';
import { useShortcut } from '../../lib/use-shortcut.ts';
import { ImageSearchButton } from './ImageSearchButton.tsx';
import styles from './SearchBox.module.css';
import { useTextSearch } from './use-text-search.ts';

interface SearchBoxProps {
  datasetId: string;
  place: Place;
  input: RefObject<HTMLInputElement | null>;
}

/** Searches semantically if the dataset has an encoder for text, else by words. `/` focuses it. */
export function SearchBox({ datasetId, place, input }: SearchBoxProps) {
  const { t } = useTranslation();
  const search = useTextSearch(datasetId, place.type);
  const active = place.text ?? '';
  const [draft, setDraft] = useState({ text: active, of: active });
  // A new address replaces the typed text.
  if (draft.of !== active) setDraft({ text: active, of: active });
  const { text } = draft;
  const type = (next: string) => setDraft({ text: next, of: active });
  useShortcut('/', () => input.current?.select());

  const [best] = search ?? [];
  const label = t(best === undefined ? 'search.byText' : `search.by.${best}`);
  const clear = () => {
    type('');
    if (active !== '') navigate(routes.explore(datasetId, withoutSearch(place)));
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const words = text.trim();
    if (words === '') clear();
    else if (search !== undefined && words !== active) {
      const within = active !== '' && search.includes(place.within) ? place.within : best;
      navigate(routes.explore(datasetId, { ...withoutSearch(place), text: words, within, beyond: place.beyond }));
    }
  };
  return (
    <form className={styles.box} onSubmit={submit}>
      <label className={`${field.search} ${styles.search}`}>
        <Search size={14} aria-hidden="true" />
        <input
          ref={input}
          type="text"
          value={text}
          placeholder={label}
          aria-label={label}
          aria-describedby={best === 'words' ? 'search-hint' : undefined}
          enterKeyHint="search"
          autoComplete="off"
          spellCheck={false}
          data-testid="search-words"
          onChange={(event) => type(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Escape') return;
            event.preventDefault();
            if (text === '' && active === '') input.current?.blur();
            else clear();
          }}
        />
        {text === '' ? (
          <Key name="/" />
        ) : text.trim() === active ? (
          <button type="button" className={styles.clear} aria-label={t('search.clear')} onClick={clear}>
            <X size={14} />
          </button>
        ) : (
          <Key name="↵" />
        )}
        <ImageSearchButton datasetId={datasetId} place={place} />
      </label>
      {best === 'words' && (
        <div id="search-hint" className={styles.hint} data-testid="search-hint">
          <strong>{t('search.onlyTextTitle')}</strong>
          <p>{t('search.onlyText')}</p>
          <a href={useHashPath.hrefs(routes.enrich(datasetId))} data-testid="search-enrich">
            {t('search.toEnrich')}
          </a>
        </div>
      )}
    </form>
  );
}

import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CopyButton } from '../../components/CopyButton.tsx';
import { Section } from '../../components/Section.tsx';
import { Segmented } from '../../components/Segmented.tsx';
import styles from './Examples.module.css';
import { type ApiKey, SAMPLE_KEY, SNIPPET_LANGUAGES, type SnippetLanguage, snippetOf } from './snippets.ts';

interface ExamplesProps {
  address: string;
  /** Whether requests must be signed. */
  signed: boolean;
  /** The new key while its secret is known. */
  apiKey: ApiKey | undefined;
}

/** Complete example scripts. */
export function Examples({ address, signed, apiKey }: ExamplesProps) {
  const { t } = useTranslation();
  const [language, setLanguage] = useState<SnippetLanguage>('curl');
  const snippet = snippetOf(language, address, signed ? (apiKey ?? SAMPLE_KEY) : undefined);
  return (
    <Section title={t('api.examples')} text={t('api.examplesText')}>
      <Segmented<SnippetLanguage>
        label={t('api.language')}
        value={language}
        onChange={setLanguage}
        options={SNIPPET_LANGUAGES.map((value) => ({ value, label: t(`api.languages.${value}`) }))}
        testId="snippet-language"
      />
      <div className={styles.code}>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by key */}
        <pre tabIndex={0} data-testid="snippet">
          {snippet}
        </pre>
        <CopyButton text={snippet} what={t(`api.languages.${language}`)} />
      </div>
      {signed && apiKey === undefined && <p className={styles.hint}>{t('api.examplesHint')}</p>}
    </Section>
  );
}

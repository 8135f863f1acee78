import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Bar } from '../../components/Bar.tsx';
import { Column } from '../../components/Column.tsx';
import { FactRow } from '../../components/FactRow.tsx';
import { Page } from '../../components/Page.tsx';
import { SearchField } from '../../components/SearchField.tsx';
import { Section } from '../../components/Section.tsx';
import { Segmented } from '../../components/Segmented.tsx';
import { LANGUAGES } from '../../i18n/language.ts';
import { useMay } from '../../lib/account.ts';
import { useHashPath } from '../../lib/location.ts';
import { usePreferences } from '../../lib/preferences.ts';
import { routes } from '../../lib/routes.ts';
import { useOperation } from '../../lib/use-operation.ts';
import { ServiceSettings } from './ServiceSettings.tsx';
import styles from './SettingsPage.module.css';

export function SettingsPage() {
  const { t } = useTranslation();
  const may = useMay();
  const { theme, density, language, set } = usePreferences();
  const [search, setSearch] = useState('');
  const mayList = may('list_settings');
  const { data: health } = useOperation('healthcheck', {});
  return (
    <Page
      bar={
        <Bar title={t('settings.title')} back={routes.inventory()}>
          {mayList && <SearchField label={t('settings.find')} value={search} onChange={setSearch} />}
        </Bar>
      }
      scroll
    >
      <Column testId="settings-page">
        <Section title={t('settings.appearance')}>
          <FactRow name={t('settings.theme')}>
            <Segmented
              label={t('settings.theme')}
              value={theme}
              onChange={(next) => set({ theme: next })}
              options={[
                { value: 'dark', label: t('settings.themes.dark') },
                { value: 'light', label: t('settings.themes.light') },
                { value: 'system', label: t('settings.themes.system') },
              ]}
            />
          </FactRow>
          <FactRow name={t('settings.language')}>
            <Segmented
              label={t('settings.language')}
              value={language}
              onChange={(next) => set({ language: next })}
              options={[
                { value: 'auto', label: t('settings.languageAuto') },
                ...LANGUAGES.map(({ code, name }) => ({ value: code, label: name })),
              ]}
              testId="language"
            />
          </FactRow>
          <FactRow name={t('settings.density')}>
            <Segmented
              label={t('settings.density')}
              value={density}
              onChange={(next) => set({ density: next })}
              options={[
                { value: 'comfortable', label: t('settings.densities.comfortable') },
                { value: 'compact', label: t('settings.densities.compact') },
              ]}
            />
          </FactRow>
        </Section>
        <Section title={t('settings.more')}>
          <LinkRow name={t('api.title')} to={routes.api()} text={t('api.open')} />
          {may('get_recovery') && (
            <>
              <LinkRow name={t('backup.title')} to={routes.recovery()} text={t('settings.diskBackup')} />
              <LinkRow name={t('recovery.check')} to={routes.recovery()} text={t('settings.diskCheck')} />
            </>
          )}
          {may('list_audit_entries') && <LinkRow name={t('audit.title')} to={routes.audit()} text={t('audit.open')} />}
        </Section>
        {mayList && <ServiceSettings search={search} />}
        <Section title={t('settings.about')}>
          <FactRow name={t('settings.version')}>
            <span>{health?.version ?? ''}</span>
          </FactRow>
        </Section>
      </Column>
    </Page>
  );
}

function LinkRow({ name, to, text }: { name: string; to: string; text: string }) {
  return (
    <FactRow name={name}>
      <a className={styles.link} href={useHashPath.hrefs(to)}>
        {text}
      </a>
    </FactRow>
  );
}

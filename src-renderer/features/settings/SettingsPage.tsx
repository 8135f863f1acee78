import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Bar } from '../../components/Bar.tsx';
import { Column } from '../../components/Column.tsx';
import { CopyButton } from '../../components/CopyButton.tsx';
import { Page } from '../../components/Page.tsx';
import { Section } from '../../components/Section.tsx';
import { Segmented } from '../../components/Segmented.tsx';
import { useDatasets } from '../../lib/datasets.ts';
import { useHashPath } from '../../lib/location.ts';
import { usePreferences } from '../../lib/preferences.ts';
import { routes } from '../../lib/routes.ts';
import { useOperation } from '../../lib/use-operation.ts';
import styles from './SettingsPage.module.css';

export function SettingsPage() {
  const { t } = useTranslation();
  const { theme, density, set } = usePreferences();
  const { data: health } = useOperation('healthcheck', {});
  return (
    <Page bar={<Bar title={t('settings.title')} back={routes.inventory()} />} scroll>
      <Column>
        <Section title={t('settings.appearance')}>
          <Row name={t('settings.theme')}>
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
          </Row>
          <Row name={t('settings.density')}>
            <Segmented
              label={t('settings.density')}
              value={density}
              onChange={(next) => set({ density: next })}
              options={[
                { value: 'comfortable', label: t('settings.densities.comfortable') },
                { value: 'compact', label: t('settings.densities.compact') },
              ]}
            />
          </Row>
        </Section>
        <ApiSection />
        <Section title={t('settings.disk')}>
          <Row name={t('backup.title')}>
            <a className={styles.link} href={useHashPath.hrefs(routes.recovery())}>
              {t('settings.diskBackup')}
            </a>
          </Row>
          <Row name={t('recovery.check')}>
            <a className={styles.link} href={useHashPath.hrefs(routes.recovery())}>
              {t('settings.diskCheck')}
            </a>
          </Row>
        </Section>
        <Section title={t('settings.about')}>
          <Row name={t('settings.version')}>
            <span>{health?.version ?? ''}</span>
          </Row>
        </Section>
      </Column>
    </Page>
  );
}

/** In a browser the page's own origin; in the desktop app the one that the core signs media addresses with. */
function useApiAddress(): string | undefined {
  const { data: datasets } = useDatasets();
  if (window.location.protocol.startsWith('http') && window.vitrine === undefined)
    return `${window.location.origin}/api/v1`;
  const uri = datasets?.find((dataset) => dataset.preview_uri !== null)?.preview_uri;
  return uri === undefined || uri === null ? undefined : `${new URL(uri).origin}/api/v1`;
}

function ApiSection() {
  const { t } = useTranslation();
  const address = useApiAddress();
  const snippet = `curl -s ${address ?? ''}/datasets`;
  return (
    <Section title={t('settings.api')} text={t('settings.apiText')}>
      <Row name={t('settings.address')}>
        {address === undefined ? (
          <span className={styles.later}>{t('settings.addressLater')}</span>
        ) : (
          <>
            <code data-testid="api-address">{address}</code>
            <CopyButton text={address} what={t('settings.address')} />
          </>
        )}
      </Row>
      {address !== undefined && (
        <>
          <Row name={t('settings.example')}>
            <code>{snippet}</code>
            <CopyButton text={snippet} what="curl" />
          </Row>
          <Row name={t('settings.documentation')}>
            <a className={styles.link} href={`${address}/docs`} target="_blank" rel="noreferrer">
              {address}/docs
            </a>
          </Row>
        </>
      )}
    </Section>
  );
}

function Row({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className={styles.row}>
      <span className={styles.name}>{name}</span>
      <div className={styles.value}>{children}</div>
    </div>
  );
}

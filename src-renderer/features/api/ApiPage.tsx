import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Bar } from '../../components/Bar.tsx';
import { Column } from '../../components/Column.tsx';
import { CopyButton } from '../../components/CopyButton.tsx';
import { FactRow } from '../../components/FactRow.tsx';
import { Page } from '../../components/Page.tsx';
import { Section } from '../../components/Section.tsx';
import { useAccount } from '../../lib/account.ts';
import { routes } from '../../lib/routes.ts';
import styles from './ApiPage.module.css';
import { Credentials } from './Credentials.tsx';
import { Examples } from './Examples.tsx';
import type { ApiKey } from './snippets.ts';

/** Address of the API, credentials, and examples. */
export function ApiPage() {
  const { t } = useTranslation();
  const { data: account } = useAccount();
  const [fresh, setFresh] = useState<ApiKey | undefined>(undefined);
  const address = account?.api_url;
  return (
    <Page bar={<Bar title={t('api.title')} back={routes.settings()} />} scroll>
      <Column testId="api-page">
        <Section title={t('api.service')} text={t('api.text')}>
          {address !== undefined && (
            <>
              <FactRow name={t('api.address')}>
                <code data-testid="api-address">{address}</code>
                <CopyButton text={address} what={t('api.address')} />
              </FactRow>
              <FactRow name={t('api.reference')}>
                <a className={styles.link} href={`${address}/docs`} target="_blank" rel="noreferrer">
                  {address}/docs
                </a>
              </FactRow>
            </>
          )}
        </Section>
        {account !== undefined &&
          (account.authentication ? (
            <Credentials fresh={fresh} onFresh={setFresh} />
          ) : (
            <Section title={t('api.credentials')} text={t('api.credentialsOff')} testId="credentials-off">
              {null}
            </Section>
          ))}
        {account !== undefined && <Examples address={account.api_url} signed={account.authentication} apiKey={fresh} />}
      </Column>
    </Page>
  );
}

import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Account } from '../../../src-main/contract/schemas/account.ts';
import { Bar } from '../../components/Bar.tsx';
import { Button } from '../../components/Button.tsx';
import { Column } from '../../components/Column.tsx';
import { FactRow } from '../../components/FactRow.tsx';
import { NewPasswordForm } from '../../components/NewPasswordForm.tsx';
import { Page } from '../../components/Page.tsx';
import { PendingContent } from '../../components/PendingContent.tsx';
import { Section } from '../../components/Section.tsx';
import { useAccount } from '../../lib/account.ts';
import { useHashPath } from '../../lib/location.ts';
import { routes } from '../../lib/routes.ts';
import { signOut } from '../../lib/sign-out.ts';
import styles from './AccountPage.module.css';
import { Passkeys } from './Passkeys.tsx';
import { SecondFactor } from './SecondFactor.tsx';
import { Sessions } from './Sessions.tsx';

/** Profile, password and sessions of the signed-in user. */
export function AccountPage() {
  const { t } = useTranslation();
  const { data: account, error, refetch } = useAccount();
  const bar = (
    <Bar title={t('account.title')} back={routes.inventory()}>
      <Button onClick={() => void signOut()} data-testid="sign-out">
        {t('account.signOut')}
      </Button>
    </Bar>
  );
  return (
    <Page bar={bar} scroll>
      {account !== undefined ? (
        <Column testId="account-page">
          <You account={account} />
          {account.has_password && (
            <>
              <Password account={account} />
              <SecondFactor />
              <Passkeys />
            </>
          )}
          <Sessions />
        </Column>
      ) : (
        <PendingContent error={error} onRetry={() => void refetch()} />
      )}
    </Page>
  );
}

function You({ account }: { account: Account }) {
  const { t } = useTranslation();
  const { username, email, name, role, realm_roles } = account;
  return (
    <Section title={t('account.you')}>
      <FactRow name={t('account.name')}>
        <span className={styles.text}>{name}</span>
      </FactRow>
      <FactRow name={t('signIn.username')}>
        <span className={styles.text} data-testid="account-username">
          {username}
        </span>
      </FactRow>
      <FactRow name={t('account.email')}>
        <span className={styles.text}>{email}</span>
      </FactRow>
      <FactRow name={t('account.role')}>
        {role === null ? (
          t('account.noRole')
        ) : (
          <span>
            {t(`account.roles.${role}`)}
            <span className={styles.quiet}>: {t(`account.roleText.${role}`)}</span>
          </span>
        )}
      </FactRow>
      {realm_roles.length > 0 && (
        <FactRow name={t('account.realmRoles')}>
          <span className={styles.text}>{realm_roles.map((one) => t(`account.realmRoleNames.${one}`)).join(', ')}</span>
        </FactRow>
      )}
      <FactRow name={t('api.title')}>
        <a className={styles.link} href={useHashPath.hrefs(routes.api())} data-testid="to-api">
          {t('api.open')}
        </a>
      </FactRow>
    </Section>
  );
}

function Password({ account }: { account: Account }) {
  const { t } = useTranslation();
  const [changed, setChanged] = useState(false);
  return (
    <Section title={t('account.password')} text={t('account.passwordText')}>
      <div className={styles.password}>
        <NewPasswordForm username={account.username} onDone={() => setChanged(true)} />
        {changed && (
          <p className={styles.done} role="status" data-testid="password-changed">
            {t('account.changed')}
          </p>
        )}
      </div>
    </Section>
  );
}

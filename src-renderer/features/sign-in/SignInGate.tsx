import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../components/Button.tsx';
import { NewPasswordForm } from '../../components/NewPasswordForm.tsx';
import { useAccount } from '../../lib/account.ts';
import { navigate } from '../../lib/location.ts';
import { routes, useLoginError, useSetupToken } from '../../lib/routes.ts';
import { useSession } from '../../lib/session.ts';
import { signOut } from '../../lib/sign-out.ts';
import { LoginForm } from './LoginForm.tsx';
import { SetupForm } from './SetupForm.tsx';
import { SignInDialog } from './SignInDialog.tsx';
import { SignInPage } from './SignInPage.tsx';

/**
 * Shows the app to signed-in users, and the sign-in page to others. A session that ends during work is renewed
 * in a dialog over the current screen, so that no input is lost.
 */
export function SignInGate({ children }: { children: ReactNode }) {
  const { t } = useTranslation();
  const { data: account, error, isPending } = useAccount();
  const ended = useSession((session) => session.ended);
  const loginError = useLoginError();
  const token = useSetupToken();
  const [isIn, setIn] = useState(false);
  const begin = useSession((session) => session.noteBegin);

  if (token !== undefined && !isIn) {
    const done = () => {
      navigate(routes.inventory(), { replace: true });
      begin();
    };
    return (
      <SignInPage title={t('signIn.setupTitle')} text={t('signIn.setupText')} testId="setup-page">
        <SetupForm token={token} onDone={done} />
      </SignInPage>
    );
  }
  if (isPending) return null;
  const mustSignIn = ended || error?.code === 'unauthenticated';
  const mustChange = account?.must_change_password === true;
  if (!mustSignIn && !mustChange && !isIn) setIn(true);
  if (!isIn && mustSignIn) {
    return (
      <SignInPage title={t('signIn.title')} error={loginError && t(`signIn.refused.${loginError}`)} testId="login-page">
        <LoginForm onDone={begin} />
      </SignInPage>
    );
  }
  if (!isIn && mustChange) {
    return (
      <SignInPage title={t('signIn.changeTitle')} text={t('signIn.changeText')} testId="change-password-page">
        <NewPasswordForm username={account.username} onDone={begin} />
        <Button kind="quiet" onClick={() => void signOut()}>
          {t('account.signOut')}
        </Button>
      </SignInPage>
    );
  }
  return (
    <>
      {children}
      {mustSignIn ? (
        <SignInDialog title={t('signIn.endedTitle')} text={t('signIn.endedText')}>
          <LoginForm username={account?.username} onDone={begin} />
        </SignInDialog>
      ) : (
        mustChange && (
          <SignInDialog title={t('signIn.changeTitle')} text={t('signIn.changeText')}>
            <NewPasswordForm username={account.username} onDone={begin} />
          </SignInDialog>
        )
      )}
    </>
  );
}

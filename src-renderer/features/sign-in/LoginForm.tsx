import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../components/Button.tsx';
import { Form } from '../../components/Form.tsx';
import { TextField } from '../../components/TextField.tsx';
import { api } from '../../lib/api.ts';
import { ApiError } from '../../lib/api-error.ts';
import { useAddress } from '../../lib/location.ts';
import { hasPasskeys, isCancelled, signInWithPasskey } from '../../lib/passkey.ts';
import { linkOfApi } from '../../lib/routes.ts';
import { useOperation } from '../../lib/use-operation.ts';
import styles from './SignIn.module.css';

/** Polling interval: the first administrator may be created in another window. */
const SETUP_POLL_MS = 3000;

interface LoginFormProps {
  /** The user who must sign in. Anyone if left out. */
  username?: string | undefined;
  onDone(): void;
}

/** Asks for username, password and, where the account has a second factor, its code. Offers passkeys and the identity provider. */
export function LoginForm({ username: preset, onDone }: LoginFormProps) {
  const { t } = useTranslation();
  const [username, setUsername] = useState(preset ?? '');
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const [needsCode, setNeedsCode] = useState(false);
  const { data: options } = useOperation(
    'get_login_options',
    {},
    { refetchInterval: ({ state }) => (state.data?.setup_needed ? SETUP_POLL_MS : false) },
  );
  const login = useMutation<unknown, ApiError>({
    mutationFn: () => api.login({ username: username.trim(), password, ...(needsCode && { code: code.trim() }) }),
    onSuccess: onDone,
    onError: (error) => {
      if (error.code === 'second_factor_required') setNeedsCode(true);
      else if (needsCode) setCode('');
      else setPassword('');
    },
  });
  if (options?.setup_needed === true) {
    return (
      <p className={styles.text} role="note" data-testid="setup-needed">
        {t('signIn.setupNeeded')}
      </p>
    );
  }
  return (
    <div className={styles.body}>
      <Form
        submit={t('signIn.submit')}
        sending={t('signIn.working')}
        isPending={login.isPending}
        isComplete={username.trim() !== '' && password !== '' && (!needsCode || code.trim().length >= 6)}
        error={login.error !== null && wordsFor(login.error, t('signIn.wrong'), needsCode)}
        onSubmit={() => login.mutate()}
        testId="login-submit"
      >
        <TextField
          label={t('signIn.username')}
          value={username}
          autoComplete="username"
          autoCapitalize="none"
          disabled={preset !== undefined || needsCode}
          onChange={setUsername}
          testId="login-username"
        />
        <TextField
          label={t('signIn.password')}
          type="password"
          value={password}
          autoComplete="current-password"
          disabled={needsCode}
          onChange={setPassword}
          testId="login-password"
        />
        {needsCode && (
          <TextField
            label={t('signIn.code')}
            hint={t('signIn.codeHint')}
            value={code}
            autoComplete="one-time-code"
            autoFocus
            onChange={setCode}
            testId="login-code"
          />
        )}
      </Form>
      {options?.passkeys && hasPasskeys() && <PasskeyButton onDone={onDone} />}
      {options?.oidc && window.vitrine === undefined && <ProviderButton name={options.oidc.name} />}
    </div>
  );
}

/** The server does not reveal whether the name or the password is wrong. Other errors have their own text. */
function wordsFor({ code, detail }: ApiError, wrong: string, needsCode: boolean): string | false {
  if (code === 'second_factor_required') return false;
  return code === 'unauthenticated' && !needsCode ? wrong : detail;
}

function PasskeyButton({ onDone }: { onDone(): void }) {
  const { t } = useTranslation();
  const login = useMutation({ mutationFn: signInWithPasskey, onSuccess: onDone });
  const { error } = login;
  return (
    <>
      <span className={styles.or}>{t('signIn.or')}</span>
      <Button
        className={styles.wide}
        disabled={login.isPending}
        onClick={() => login.mutate()}
        data-testid="login-passkey"
      >
        {t('signIn.passkey')}
      </Button>
      {error !== null && (
        <p role="alert">
          {error instanceof ApiError
            ? error.detail
            : t(isCancelled(error) ? 'signIn.passkeyCancelled' : 'signIn.passkeyFailed')}
        </p>
      )}
    </>
  );
}

/** Leaves the page. The provider redirects back to the current address. */
function ProviderButton({ name }: { name: string }) {
  const { t } = useTranslation();
  const address = useAddress();
  return (
    <>
      <span className={styles.or}>{t('signIn.or')}</span>
      <Button
        className={styles.wide}
        onClick={() => window.location.assign(linkOfApi(`/oidc/login?${new URLSearchParams({ return_to: address })}`))}
        data-testid="login-oidc"
      >
        {t('signIn.with', { name })}
      </Button>
    </>
  );
}

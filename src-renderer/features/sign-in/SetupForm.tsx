import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../components/Button.tsx';
import form from '../../components/Form.module.css';
import { TextField } from '../../components/TextField.tsx';
import { api } from '../../lib/api.ts';
import type { ApiError } from '../../lib/api-error.ts';
import { MIN_PASSWORD_LENGTH } from '../../lib/new-password.ts';
import styles from './SignIn.module.css';

const EMPTY = { username: '', first_name: '', last_name: '', password: '', again: '' };

/** Creates the first administrator. The one-time token is part of the address that the server printed. */
export function SetupForm({ token, onDone }: { token: string; onDone(): void }) {
  const { t } = useTranslation();
  const [text, setText] = useState(EMPTY);
  const { username, first_name, last_name, password, again } = text;
  const setup = useMutation<unknown, ApiError>({
    mutationFn: () => api.setup_first_admin({ token, username: username.trim(), password, first_name, last_name }),
    onSuccess: onDone,
  });
  const isComplete =
    [username, first_name, last_name].every((one) => one.trim() !== '') &&
    password.length >= MIN_PASSWORD_LENGTH &&
    again === password;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isComplete && !setup.isPending) setup.mutate();
  };
  const fields: Readonly<Record<string, string>> = setup.error?.fields ?? {};
  const isNamed = Object.keys(fields).some((name) => name in EMPTY);
  const field = (name: keyof typeof EMPTY) => ({
    value: text[name],
    onChange: (value: string) => setText((before) => ({ ...before, [name]: value })),
    testId: `setup-${name}`,
  });
  return (
    <form className={form.form} onSubmit={submit}>
      <TextField
        label={t('signIn.username')}
        autoComplete="username"
        autoCapitalize="none"
        hint={t('signIn.usernameHint')}
        error={fields.username}
        {...field('username')}
      />
      <TextField
        label={t('signIn.firstName')}
        autoComplete="given-name"
        error={fields.first_name}
        {...field('first_name')}
      />
      <TextField
        label={t('signIn.lastName')}
        autoComplete="family-name"
        error={fields.last_name}
        {...field('last_name')}
      />
      <TextField
        label={t('signIn.password')}
        type="password"
        autoComplete="new-password"
        hint={t('signIn.passwordHint', { count: MIN_PASSWORD_LENGTH })}
        error={fields.password}
        {...field('password')}
      />
      <TextField
        label={t('signIn.passwordAgain')}
        type="password"
        autoComplete="new-password"
        error={again !== '' && again !== password ? t('signIn.differs') : undefined}
        {...field('again')}
      />
      <p className={form.error} role="alert">
        {!isNamed && setup.error?.detail}
      </p>
      <Button
        kind="primary"
        type="submit"
        className={styles.wide}
        disabled={!isComplete || setup.isPending}
        data-testid="setup-submit"
      >
        {setup.isPending ? t('signIn.creating') : t('signIn.create')}
      </Button>
    </form>
  );
}

import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../lib/api.ts';
import type { ApiError } from '../lib/api-error.ts';
import { MIN_PASSWORD_LENGTH } from '../lib/new-password.ts';
import { Button } from './Button.tsx';
import form from './Form.module.css';
import { TextField } from './TextField.tsx';

/** Asks for the current password and twice for a new one. */
export function NewPasswordForm({ username, onDone }: { username: string; onDone(): void }) {
  const { t } = useTranslation();
  const [current, setCurrent] = useState('');
  const [next, setNext] = useState('');
  const [again, setAgain] = useState('');
  const change = useMutation<unknown, ApiError>({
    mutationFn: () => api.change_password({ current_password: current, password: next }),
    onSuccess: () => {
      setCurrent('');
      setNext('');
      setAgain('');
      onDone();
    },
  });
  const differs = again !== '' && again !== next;
  const isComplete = current !== '' && next.length >= MIN_PASSWORD_LENGTH && again === next;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isComplete && !change.isPending) change.mutate();
  };
  const fields: Readonly<Record<string, string>> = change.error?.fields ?? {};
  const isNamed = fields.current_password !== undefined || fields.password !== undefined;
  return (
    <form className={form.form} onSubmit={submit}>
      {/* Password managers save the new password under this user name. */}
      <input
        className="visually-hidden"
        tabIndex={-1}
        aria-hidden="true"
        autoComplete="username"
        readOnly
        value={username}
      />
      <TextField
        label={t('signIn.currentPassword')}
        type="password"
        value={current}
        autoComplete="current-password"
        error={fields.current_password}
        onChange={setCurrent}
        testId="current-password"
      />
      <TextField
        label={t('signIn.newPassword')}
        type="password"
        value={next}
        autoComplete="new-password"
        hint={t('signIn.passwordHint', { count: MIN_PASSWORD_LENGTH })}
        error={fields.password}
        onChange={setNext}
        testId="new-password"
      />
      <TextField
        label={t('signIn.passwordAgain')}
        type="password"
        value={again}
        autoComplete="new-password"
        error={differs ? t('signIn.differs') : undefined}
        onChange={setAgain}
        testId="new-password-again"
      />
      <p className={form.error} role="alert">
        {!isNamed && change.error?.detail}
      </p>
      <Button kind="primary" type="submit" disabled={!isComplete || change.isPending} data-testid="change-password">
        {change.isPending ? t('signIn.changing') : t('signIn.change')}
      </Button>
    </form>
  );
}

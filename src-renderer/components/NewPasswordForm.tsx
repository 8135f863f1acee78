import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { api } from '../lib/api.ts';
import type { ApiError } from '../lib/api-error.ts';
import { MIN_PASSWORD_LENGTH } from '../lib/new-password.ts';
import { useFields } from '../lib/use-fields.ts';
import { CurrentPasswordField } from './CurrentPasswordField.tsx';
import { Form } from './Form.tsx';
import { TextField } from './TextField.tsx';

const EMPTY = { current_password: '', password: '', again: '' };

/** Asks for the current password and twice for a new one. */
export function NewPasswordForm({ username, onDone }: { username: string; onDone(): void }) {
  const { t } = useTranslation();
  const { text, field, clear, errorOf } = useFields(EMPTY);
  const { current_password, password, again } = text;
  const change = useMutation<unknown, ApiError>({
    mutationFn: () => api.change_password({ current_password, password }),
    onSuccess: () => {
      clear();
      onDone();
    },
  });
  return (
    <Form
      submit={t('signIn.change')}
      sending={t('signIn.changing')}
      isPending={change.isPending}
      isComplete={current_password !== '' && password.length >= MIN_PASSWORD_LENGTH && again === password}
      error={errorOf(change.error)}
      onSubmit={() => change.mutate()}
      testId="change-password"
    >
      {/* Password managers save the new password under this user name. */}
      <input
        className="visually-hidden"
        tabIndex={-1}
        aria-hidden="true"
        autoComplete="username"
        readOnly
        value={username}
      />
      <CurrentPasswordField {...field('current_password', change.error)} testId="current-password" />
      <TextField
        {...field('password', change.error)}
        label={t('signIn.newPassword')}
        type="password"
        autoComplete="new-password"
        hint={t('signIn.passwordHint', { count: MIN_PASSWORD_LENGTH })}
        testId="new-password"
      />
      <TextField
        {...field('again', change.error)}
        label={t('signIn.passwordAgain')}
        type="password"
        autoComplete="new-password"
        error={again !== '' && again !== password ? t('signIn.differs') : undefined}
        testId="new-password-again"
      />
    </Form>
  );
}

import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Form } from '../../components/Form.tsx';
import { TextField } from '../../components/TextField.tsx';
import { api } from '../../lib/api.ts';
import type { ApiError } from '../../lib/api-error.ts';
import { MIN_PASSWORD_LENGTH } from '../../lib/new-password.ts';
import { useFields } from '../../lib/use-fields.ts';

const EMPTY = { username: '', first_name: '', last_name: '', password: '', again: '', opened_folder: '' };

/** Creates the first administrator. The one-time token is part of the address that the server printed. */
export function SetupForm({ token, onDone }: { token: string; onDone(): void }) {
  const { t } = useTranslation();
  const { text, field: textField, errorOf } = useFields(EMPTY);
  const { username, first_name, last_name, password, again, opened_folder } = text;
  const setup = useMutation<unknown, ApiError>({
    mutationFn: () =>
      api.setup_first_admin({ token, username: username.trim(), password, first_name, last_name, opened_folder }),
    onSuccess: onDone,
  });
  const isComplete =
    [username, first_name, last_name].every((one) => one.trim() !== '') &&
    password.length >= MIN_PASSWORD_LENGTH &&
    again === password;
  const field = (name: keyof typeof EMPTY) => ({ ...textField(name, setup.error), testId: `setup-${name}` });
  return (
    <Form
      submit={t('signIn.create')}
      sending={t('signIn.creating')}
      isPending={setup.isPending}
      isComplete={isComplete}
      error={errorOf(setup.error)}
      onSubmit={() => setup.mutate()}
      testId="setup-submit"
    >
      <TextField
        label={t('signIn.username')}
        autoComplete="username"
        autoCapitalize="none"
        hint={t('signIn.usernameHint')}
        {...field('username')}
      />
      <TextField label={t('signIn.firstName')} autoComplete="given-name" {...field('first_name')} />
      <TextField label={t('signIn.lastName')} autoComplete="family-name" {...field('last_name')} />
      <TextField
        label={t('signIn.password')}
        type="password"
        autoComplete="new-password"
        hint={t('signIn.passwordHint', { count: MIN_PASSWORD_LENGTH })}
        {...field('password')}
      />
      <TextField
        label={t('signIn.passwordAgain')}
        type="password"
        autoComplete="new-password"
        {...field('again')}
        error={again !== '' && again !== password ? t('signIn.differs') : undefined}
      />
      <TextField
        label={t('signIn.openedFolder')}
        hint={t('signIn.openedFolderHint')}
        placeholder="/srv/images"
        {...field('opened_folder')}
      />
    </Form>
  );
}

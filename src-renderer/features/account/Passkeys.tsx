import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Passkey } from '../../../src-main/contract/schemas/account.ts';
import { Button } from '../../components/Button.tsx';
import { CurrentPasswordField } from '../../components/CurrentPasswordField.tsx';
import { Form } from '../../components/Form.tsx';
import rows from '../../components/Rows.module.css';
import { Section } from '../../components/Section.tsx';
import { TextField } from '../../components/TextField.tsx';
import { api } from '../../lib/api.ts';
import { ApiError } from '../../lib/api-error.ts';
import { formatAgo, formatDateTime } from '../../lib/format.ts';
import { createPasskey, hasPasskeys, isCancelled } from '../../lib/passkey.ts';
import { useFields } from '../../lib/use-fields.ts';
import { useNow } from '../../lib/use-now.ts';
import { useOperation } from '../../lib/use-operation.ts';
import { useRefresh } from '../../lib/use-refresh.ts';
import styles from './AccountPage.module.css';

/** Passkeys of the signed-in user: list, add, remove. */
export function Passkeys() {
  const { t } = useTranslation();
  const { data, error } = useOperation('list_passkeys', {});
  const [isAdding, setAdding] = useState(false);
  const refresh = useRefresh('list_passkeys');
  const remove = useMutation<unknown, ApiError, string>({
    mutationFn: (passkeyId) => api.remove_passkey({ passkey_id: passkeyId }),
    onSettled: refresh,
  });
  const close = () => {
    setAdding(false);
    refresh();
  };
  return (
    <Section
      title={t('account.passkeys')}
      text={t(hasPasskeys() ? 'account.passkeysText' : 'account.passkeysUnavailable')}
      error={remove.error ?? error}
      testId="passkeys"
    >
      {data !== undefined && data.passkeys.length > 0 && (
        <ul className={`${rows.list} ${styles.list}`}>
          {data.passkeys.map((passkey) => (
            <Row
              key={passkey.passkey_id}
              passkey={passkey}
              isPending={remove.isPending}
              onRemove={() => remove.mutate(passkey.passkey_id)}
            />
          ))}
        </ul>
      )}
      {isAdding ? (
        <Add onDone={close} />
      ) : (
        <Button disabled={!hasPasskeys()} onClick={() => setAdding(true)} data-testid="add-passkey">
          {t('account.passkeyAdd')}
        </Button>
      )}
    </Section>
  );
}

function Row({ passkey, isPending, onRemove }: { passkey: Passkey; isPending: boolean; onRemove(): void }) {
  const { t } = useTranslation();
  const now = useNow(false);
  const { created_at, last_used_at } = passkey;
  const name = passkey.name === '' ? t('account.passkeyUnnamed') : passkey.name;
  return (
    <li className={rows.row} data-testid="passkey-row">
      <div className={rows.main}>
        <p className={rows.name}>{name}</p>
        <p className={rows.facts}>
          <span>{t('account.started', { when: formatDateTime(created_at) })}</span>
          {last_used_at !== null && <span>{t('account.used', { when: formatAgo(last_used_at, now) })}</span>}
        </p>
      </div>
      <Button
        aria-label={t('account.passkeyRemoveNamed', { name })}
        disabled={isPending}
        onClick={onRemove}
        data-testid="remove-passkey"
      >
        {t('account.passkeyRemove')}
      </Button>
    </li>
  );
}

function Add({ onDone }: { onDone(): void }) {
  const { t } = useTranslation();
  const { text, field } = useFields({ name: '', current_password: '' });
  const add = useMutation({
    mutationFn: () => createPasskey(text.current_password, text.name.trim()),
    onSuccess: onDone,
  });
  const failure = add.error instanceof ApiError ? add.error : null;
  const cancelled = add.error !== null && failure === null;
  return (
    <div className={styles.password}>
      <Form
        submit={t('account.passkeyCreate')}
        isPending={add.isPending}
        isComplete={text.current_password !== ''}
        error={
          cancelled
            ? t(isCancelled(add.error) ? 'signIn.passkeyCancelled' : 'signIn.passkeyFailed')
            : failure !== null && failure.fields.current_password === undefined && failure.detail
        }
        onSubmit={() => add.mutate()}
        onCancel={onDone}
        testId="passkey-create"
      >
        <TextField
          {...field('name', failure)}
          label={t('account.passkeyName')}
          hint={t('account.passkeyNameHint')}
          testId="passkey-name"
        />
        <CurrentPasswordField {...field('current_password', failure)} testId="passkey-password" />
      </Form>
    </div>
  );
}

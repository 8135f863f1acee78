import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { renderSVG } from 'uqr';
import { Button } from '../../components/Button.tsx';
import { CurrentPasswordField } from '../../components/CurrentPasswordField.tsx';
import { Form } from '../../components/Form.tsx';
import { Section } from '../../components/Section.tsx';
import { StateMark } from '../../components/StateMark.tsx';
import { TextField } from '../../components/TextField.tsx';
import { api } from '../../lib/api.ts';
import type { ApiError } from '../../lib/api-error.ts';
import { useFields } from '../../lib/use-fields.ts';
import { useOperation } from '../../lib/use-operation.ts';
import { useRefresh } from '../../lib/use-refresh.ts';
import styles from './AccountPage.module.css';

/** Codes of an authenticator app at each sign-in with a password: set up, recovery codes, turn off. */
export function SecondFactor() {
  const { t } = useTranslation();
  const { data, error } = useOperation('get_second_factor', {});
  const [step, setStep] = useState<'password' | 'remove'>();
  const [secret, setSecret] = useState<{ secret: string; uri: string }>();
  const [codes, setCodes] = useState<readonly string[]>();
  const refresh = useRefresh('get_second_factor');
  const close = () => {
    setStep(undefined);
    setSecret(undefined);
    refresh();
  };
  return (
    <Section
      title={t('account.secondFactor')}
      text={t('account.secondFactorText')}
      error={error}
      testId="second-factor"
    >
      {data?.is_on && (
        <p className={styles.state}>
          <StateMark tone="ok">{t('account.secondFactorOn', { count: data.n_recovery_codes })}</StateMark>
        </p>
      )}
      {codes !== undefined && <RecoveryCodes codes={codes} onClose={() => setCodes(undefined)} />}
      {data !== undefined && step === undefined && codes === undefined && (
        <Button onClick={() => setStep(data.is_on ? 'remove' : 'password')} data-testid="change-second-factor">
          {t(data.is_on ? 'account.secondFactorRemove' : 'account.secondFactorAdd')}
        </Button>
      )}
      {step === 'password' && secret === undefined && <AskPassword onSecret={setSecret} onCancel={close} />}
      {step === 'password' && secret !== undefined && (
        <Confirm
          {...secret}
          onCancel={close}
          onCodes={(made) => {
            setCodes(made);
            close();
          }}
        />
      )}
      {step === 'remove' && <Remove onDone={close} />}
    </Section>
  );
}

function AskPassword({
  onSecret,
  onCancel,
}: {
  onSecret(secret: { secret: string; uri: string }): void;
  onCancel(): void;
}) {
  const { t } = useTranslation();
  const { text, field, errorOf } = useFields({ current_password: '' });
  const start = useMutation<{ secret: string; uri: string }, ApiError>({
    mutationFn: () => api.start_second_factor(text),
    onSuccess: onSecret,
  });
  return (
    <div className={styles.password}>
      <Form
        submit={t('account.continue')}
        isPending={start.isPending}
        isComplete={text.current_password !== ''}
        error={errorOf(start.error)}
        onSubmit={() => start.mutate()}
        onCancel={onCancel}
        testId="second-factor-start"
      >
        <CurrentPasswordField {...field('current_password', start.error)} testId="second-factor-password" />
      </Form>
    </div>
  );
}

interface ConfirmProps {
  secret: string;
  uri: string;
  onCodes(codes: readonly string[]): void;
  onCancel(): void;
}

function Confirm({ secret, uri, onCodes, onCancel }: ConfirmProps) {
  const { t } = useTranslation();
  const { text, field, errorOf } = useFields({ code: '' });
  const confirm = useMutation<{ recovery_codes: string[] }, ApiError>({
    mutationFn: () => api.confirm_second_factor(text),
    onSuccess: ({ recovery_codes }) => onCodes(recovery_codes),
  });
  const picture = `data:image/svg+xml,${encodeURIComponent(renderSVG(uri, { border: 2 }))}`;
  return (
    <div className={styles.password}>
      <p>{t('account.scan')}</p>
      <img className={styles.qr} src={picture} alt={t('account.qr')} width={180} height={180} />
      <p className={styles.quiet}>{t('account.secretText')}</p>
      <code className={styles.secret} data-testid="second-factor-secret">
        {secret}
      </code>
      <Form
        submit={t('account.secondFactorConfirm')}
        isPending={confirm.isPending}
        isComplete={text.code.trim().length >= 6}
        error={errorOf(confirm.error)}
        onSubmit={() => confirm.mutate()}
        onCancel={onCancel}
        testId="second-factor-confirm"
      >
        <CodeField {...field('code', confirm.error)} />
      </Form>
    </div>
  );
}

function Remove({ onDone }: { onDone(): void }) {
  const { t } = useTranslation();
  const { text, field, errorOf } = useFields({ code: '' });
  const remove = useMutation<unknown, ApiError>({
    mutationFn: () => api.remove_second_factor(text),
    onSuccess: onDone,
  });
  return (
    <div className={styles.password}>
      <Form
        submit={t('account.secondFactorRemove')}
        isPending={remove.isPending}
        isComplete={text.code.trim().length >= 6}
        error={errorOf(remove.error)}
        onSubmit={() => remove.mutate()}
        onCancel={onDone}
        testId="second-factor-remove"
      >
        <CodeField {...field('code', remove.error)} hint={t('signIn.codeHint')} />
      </Form>
    </div>
  );
}

function CodeField(props: { value: string; error?: string | undefined; hint?: string; onChange(value: string): void }) {
  const { t } = useTranslation();
  return (
    <TextField
      {...props}
      label={t('signIn.code')}
      autoComplete="one-time-code"
      inputMode="numeric"
      testId="second-factor-code"
    />
  );
}

function RecoveryCodes({ codes, onClose }: { codes: readonly string[]; onClose(): void }) {
  const { t } = useTranslation();
  return (
    <div className={styles.password} data-testid="recovery-codes">
      <p role="status">{t('account.recoveryCodes')}</p>
      <pre className={styles.secret}>{codes.join('\n')}</pre>
      <Button onClick={onClose} data-testid="recovery-codes-done">
        {t('account.recoveryCodesDone')}
      </Button>
    </div>
  );
}

import type { FormEvent, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from './Button.tsx';
import styles from './Form.module.css';

interface FormProps {
  /** Text of the button that submits. */
  submit: string;
  /** Text of the button while the form is being sent. */
  sending?: string | undefined;
  isPending: boolean;
  /** Whether there is enough input to submit. */
  isComplete?: boolean;
  /** Whether a dialog without fields starts on the button. */
  startsOnSubmit?: boolean;
  /** An error that concerns no single field. */
  error?: string | false | undefined;
  onSubmit(): void;
  /** Left out on pages, where the button fills the width instead. */
  onCancel?: () => void;
  testId?: string | undefined;
  children: ReactNode;
}

/** A form with its error and its buttons. Submits once at a time. */
export function Form(props: FormProps) {
  const {
    submit,
    sending = submit,
    isPending,
    isComplete = true,
    startsOnSubmit,
    error,
    onSubmit,
    onCancel,
    testId,
    children,
  } = props;
  const { t } = useTranslation();
  const onSend = (event: FormEvent) => {
    event.preventDefault();
    if (isComplete && !isPending) onSubmit();
  };
  const button = (
    <Button
      kind="primary"
      type="submit"
      className={onCancel === undefined ? styles.wide : undefined}
      disabled={!isComplete || isPending}
      data-autofocus={startsOnSubmit}
      data-testid={testId}
    >
      {isPending ? sending : submit}
    </Button>
  );
  return (
    <form className={styles.form} onSubmit={onSend}>
      {children}
      <p className={styles.error} role="alert">
        {error}
      </p>
      {onCancel === undefined ? (
        button
      ) : (
        <footer className={styles.footer}>
          <Button onClick={onCancel}>{t('common.cancel')}</Button>
          {button}
        </footer>
      )}
    </form>
  );
}

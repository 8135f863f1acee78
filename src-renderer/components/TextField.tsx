import { type InputHTMLAttributes, type Ref, useId } from 'react';
import form from './Form.module.css';

interface TextFieldProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'onChange' | 'value' | 'id'> {
  label: string;
  value: string;
  /** Hint on purpose or format. */
  hint?: string | undefined;
  /** Why the value is invalid. */
  error?: string | undefined;
  onChange(value: string): void;
  testId?: string;
  ref?: Ref<HTMLInputElement>;
}

/** A labelled text field with a hint or an error below. */
export function TextField({ label, hint, error, onChange, testId, type = 'text', ...rest }: TextFieldProps) {
  const id = useId();
  return (
    <div className={form.field}>
      <label htmlFor={id}>{label}</label>
      <input
        {...rest}
        id={id}
        className={form.input}
        type={type}
        spellCheck={false}
        aria-invalid={error !== undefined}
        aria-describedby={`${id}-note`}
        data-testid={testId}
        onChange={(event) => onChange(event.target.value)}
      />
      <p
        id={`${id}-note`}
        className={error === undefined ? form.hint : form.error}
        role={error === undefined ? undefined : 'alert'}
      >
        {error ?? hint}
      </p>
    </div>
  );
}

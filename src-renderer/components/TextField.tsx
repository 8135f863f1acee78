import { type InputHTMLAttributes, type Ref, useId } from 'react';
import form from './Form.module.css';

interface TextFieldProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'onChange' | 'value' | 'id'> {
  label: string;
  value: string;
  /** What it is for, or what it must be like. */
  hint?: string | undefined;
  /** Why what was typed is of no use. */
  error?: string | undefined;
  onChange(value: string): void;
  testId?: string;
  ref?: Ref<HTMLInputElement>;
}

/** One line of text with its name above, and below it what is wrong with it. */
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
      <p id={`${id}-note`} className={error === undefined ? form.hint : form.error}>
        {error ?? hint}
      </p>
    </div>
  );
}

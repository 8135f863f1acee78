import { type TextareaHTMLAttributes, useId } from 'react';
import form from './Form.module.css';

interface TextAreaProps extends Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, 'onChange' | 'value' | 'id'> {
  label: string;
  value: string;
  /** For sentences rather than lists of names. */
  prose?: boolean;
  onChange(value: string): void;
  testId?: string;
}

/** A labelled text field of several lines. */
export function TextArea({ label, prose = false, onChange, testId, ...rest }: TextAreaProps) {
  const id = useId();
  return (
    <div className={form.field}>
      <label htmlFor={id}>{label}</label>
      <textarea
        {...rest}
        id={id}
        className={prose ? `${form.textarea} ${form.prose}` : form.textarea}
        data-testid={testId}
        onChange={(event) => onChange(event.target.value)}
      />
    </div>
  );
}

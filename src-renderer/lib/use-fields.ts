import { useState } from 'react';
import type { ApiError } from './api-error.ts';

/**
 * Text fields of a form that is sent by one call.
 * @param empty Initial texts by name. Names are those of the call's input, so that refusals name them.
 */
export function useFields<Name extends string>(empty: Readonly<Record<Name, string>>) {
  const [text, setText] = useState(empty);
  return {
    text,
    clear: () => setText(empty),
    /** Properties of the text field with this name. */
    field: (name: Name, error: ApiError | null) => ({
      value: text[name],
      error: error?.fields[name],
      onChange: (value: string) => setText((before) => ({ ...before, [name]: value })),
    }),
    /** The sentence of an error that concerns none of the fields. */
    errorOf: (error: ApiError | null) =>
      error !== null && !Object.keys(error.fields).some((name) => name in empty) && error.detail,
  };
}

import { type ChangeEvent, useRef } from 'react';
import { Button } from '../../components/Button.tsx';

interface ValuesPickerProps {
  label: string;
  disabled: boolean;
  onPick(file: File): void;
}

/** Chooses the file with the values of a field. */
export function ValuesPicker({ label, disabled, onPick }: ValuesPickerProps) {
  const picker = useRef<HTMLInputElement>(null);
  const pick = ({ target }: ChangeEvent<HTMLInputElement>) => {
    const file = target.files?.[0];
    if (file !== undefined) onPick(file);
    // Without the reset, the same file could not be chosen again.
    target.value = '';
  };
  return (
    <>
      <Button disabled={disabled} onClick={() => picker.current?.click()}>
        {label}
      </Button>
      <input
        ref={picker}
        type="file"
        accept=".json,.csv,.parquet,application/json,text/csv"
        hidden
        aria-label={label}
        data-testid="values-file"
        onChange={pick}
      />
    </>
  );
}

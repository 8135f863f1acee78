import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import styles from './Chip.module.css';
import { Tooltip } from './Tooltip.tsx';

interface ChipProps {
  /** Kind of the filter, where the text alone is ambiguous. */
  kind?: string;
  removeLabel: string;
  /** Left out if the chip cannot be removed. */
  onRemove?: (() => void) | undefined;
  /** Error of the filter. */
  fault?: string | undefined;
  /** Whether Esc removes the chip. */
  escapes?: boolean;
  testId: string;
  removeTestId: string;
  children: ReactNode;
}

/** An active filter or search, with a button to remove it. */
export function Chip(props: ChipProps) {
  const { kind, fault, removeLabel, onRemove, escapes = false, testId, removeTestId, children } = props;
  return (
    <span className={styles.chip} data-faulty={fault !== undefined} title={fault} data-testid={testId}>
      {kind !== undefined && <span className={styles.kind}>{kind}</span>}
      {children}
      {onRemove !== undefined && (
        <Tooltip text={removeLabel} shortcut={escapes ? 'Esc' : undefined}>
          <button
            type="button"
            className={styles.remove}
            aria-label={removeLabel}
            data-testid={removeTestId}
            onClick={onRemove}
          >
            <X size={14} />
          </button>
        </Tooltip>
      )}
    </span>
  );
}

/** The text of a chip as a button that edits it. */
export function ChipValue({ label, onEdit, children }: { label: string; onEdit(): void; children: string }) {
  return (
    <button
      type="button"
      className={styles.value}
      title={`${children}: ${label}`}
      aria-label={`${children}: ${label}`}
      onClick={onEdit}
    >
      {children}
    </button>
  );
}

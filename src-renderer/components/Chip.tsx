import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import styles from './Chip.module.css';
import { Tooltip } from './Tooltip.tsx';

interface ChipProps {
  /** What kind of thing it is, where that is not plain. */
  kind?: string;
  removeLabel: string;
  /** Left out where it is not to be removed. */
  onRemove?: (() => void) | undefined;
  /** What is wrong with it. */
  fault?: string | undefined;
  /** Esc removes it. */
  escapes?: boolean;
  testId: string;
  removeTestId: string;
  children: ReactNode;
}

/** One thing that narrows what is listed, and the way out of it. */
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

/** What the chip says, to click on and change. */
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

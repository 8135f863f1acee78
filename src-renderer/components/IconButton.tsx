import type { ButtonHTMLAttributes, ReactNode, Ref } from 'react';
import styles from './IconButton.module.css';
import { Tooltip } from './Tooltip.tsx';

interface IconButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'aria-label' | 'title'> {
  /** Accessible name and tooltip. */
  label: string;
  icon: ReactNode;
  /** Keyboard shortcut, shown in the tooltip. */
  shortcut?: string;
  pressed?: boolean;
  side?: 'top' | 'right' | 'bottom' | 'left';
  ref?: Ref<HTMLButtonElement>;
}

export function IconButton({ label, icon, shortcut, pressed, side, className, ...rest }: IconButtonProps) {
  return (
    <Tooltip text={label} shortcut={shortcut} side={side}>
      <button
        type="button"
        aria-label={label}
        aria-pressed={pressed}
        className={`${styles.button} ${className ?? ''}`}
        {...rest}
      >
        {icon}
      </button>
    </Tooltip>
  );
}
